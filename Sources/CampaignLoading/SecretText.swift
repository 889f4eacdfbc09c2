import Diagnostics

/// A text of the shape of a secret, known by its looks wherever it stands.
package enum SecretText: Hashable, Sendable {
    /// `AIza` and 35 characters: the keys of Android apps, Apple apps, browsers and servers.
    case apiKey
    /// A PEM block, such as a service account's.
    case privateKey
    /// The server key of FCM's legacy protocols.
    case legacyServerKey
    /// A JSON Web Token (RFC 7519): it lets in whoever has it until it expires.
    case webToken

    package static func kinds(in text: String) -> Set<SecretText> {
        Set(all(in: Array(text.utf8)).map(\.kind))
    }

    /// What no diagnostic may show of a file.
    static func places(in bytes: [UInt8], of source: SourceID) -> [SourceSpan] {
        all(in: bytes).map { found in
            SourceSpan(
                source: source,
                start: found.range.lowerBound,
                end: found.range.upperBound
            )
        }
    }

    private static func all(in bytes: [UInt8]) -> [(kind: SecretText, range: Range<Int>)] {
        var found: [(kind: SecretText, range: Range<Int>)] = []
        var blockEnds = BlockEnds(bytes: bytes)
        var index = 0
        while index < bytes.count {
            if let secret = secret(at: index, in: bytes, &blockEnds) {
                found.append(secret)
                index = secret.range.upperBound
            } else {
                index += 1
            }
        }
        return found
    }

    private static func secret(
        at start: Int,
        in bytes: [UInt8],
        _ blockEnds: inout BlockEnds
    ) -> (kind: SecretText, range: Range<Int>)? {
        if bytes[start] == UInt8(ascii: "-") {
            return privateKeyEnd(start, bytes, &blockEnds).map { (.privateKey, start..<$0) }
        }
        guard "Ae".utf8.contains(bytes[start]), start == 0 || !isTokenByte(bytes[start - 1]) else {
            return nil
        }
        let end = endOfRun(start, bytes)
        if bytes[start...].starts(with: "AIza".utf8), end - start == 39 {
            return (.apiKey, start..<end)
        }
        if bytes[start...].starts(with: "AAAA".utf8), end - start == 11,
            bytes[end...].starts(with: ":APA91b".utf8)
        {
            return (.legacyServerKey, start..<endOfRun(end + 1, bytes))
        }
        return webTokenEnd(start, end, bytes).map { (.webToken, start..<$0) }
    }

    /// Three runs of base64url, joined by dots; header and claims are objects, so that they begin
    /// with `{"`.
    private static func webTokenEnd(_ start: Int, _ end: Int, _ bytes: [UInt8]) -> Int? {
        let object = "eyJ".utf8
        guard end - start >= 10, bytes[start...].starts(with: object), end < bytes.count,
            bytes[end] == UInt8(ascii: "."), bytes[(end + 1)...].starts(with: object)
        else { return nil }
        let claims = endOfRun(end + 1, bytes)
        guard claims < bytes.count, bytes[claims] == UInt8(ascii: ".") else { return nil }
        let signature = endOfRun(claims + 1, bytes)
        return signature - claims > 10 ? signature : nil
    }

    /// Where the block ends; where nothing ends it, the end of the line.
    private static func privateKeyEnd(
        _ start: Int,
        _ bytes: [UInt8],
        _ blockEnds: inout BlockEnds
    ) -> Int? {
        guard bytes[start...].starts(with: "-----BEGIN ".utf8) else { return nil }
        let label = bytes[start..<min(bytes.count, start + 60)].prefix { !isLineBreak($0) }
        guard let marker = label.firstRange(of: "PRIVATE KEY-----".utf8) else { return nil }
        return blockEnds.end(ofBlockAt: marker.upperBound)
            ?? bytes[marker.upperBound...].firstIndex(where: isLineBreak) ?? bytes.count
    }

    private static func isLineBreak(_ byte: UInt8) -> Bool { byte == 0x0A || byte == 0x0D }

    private static func endOfRun(_ start: Int, _ bytes: [UInt8]) -> Int {
        bytes[start...].firstIndex { !isTokenByte($0) } ?? bytes.count
    }

    /// What registrations, keys and web tokens are made of: base64url.
    static func isTokenByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"):
            true
        default: false
        }
    }
}

/// Finds where PEM blocks end; that nothing ends them any more is found out once.
private struct BlockEnds {
    private let bytes: [UInt8]
    private var areOver = false

    init(bytes: [UInt8]) {
        self.bytes = bytes
    }

    /// The offset is not before that of an earlier call.
    mutating func end(ofBlockAt offset: Int) -> Int? {
        guard !areOver else { return nil }
        guard let end = bytes[offset...].firstRange(of: "-----END ".utf8) else {
            areOver = true
            return nil
        }
        let tail = bytes[end.upperBound...].firstRange(of: "-----".utf8)
        return tail?.upperBound ?? end.upperBound
    }
}
