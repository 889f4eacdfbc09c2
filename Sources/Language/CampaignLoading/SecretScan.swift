/// Finds every secret of a text in one pass over its bytes.
///
/// Most bytes cost one table lookup: a secret begins with one of a few characters, in most cases
/// not after a letter or digit, and continues with one of a few others.
struct SecretScan {
    typealias Bytes = UnsafeBufferPointer<UInt8>

    struct Finding: Sendable {
        let kind: SecretText
        let range: Range<Int>
    }

    private let bytes: Bytes
    /// In text order, without overlaps.
    private(set) var found: [Finding] = []
    /// Whether the text contains backslashes, which may hide a secret in a quoted text.
    private(set) var hasEscapes = false
    /// Whether no end of a PEM block follows, so that it is searched only once.
    private var areBlocksOver = false

    init(_ bytes: Bytes) {
        self.bytes = bytes
        run()
    }

    private mutating func run() {
        ByteRole.table.withUnsafeBufferPointer { roles in
            var index = 0
            var last: UInt8 = 0
            var all: UInt8 = 0
            while index + 1 < bytes.count {
                let role = roles[Int(bytes[index])]
                all |= role
                if role & ByteRole.begins != 0,
                    role & ByteRole.anywhere != 0 || last & ByteRole.token == 0,
                    goesOn(at: index), let finding = secret(at: index)
                {
                    found.append(finding)
                    index = finding.range.upperBound
                    last = 0
                } else {
                    last = role
                    index += 1
                }
            }
            hasEscapes = all & ByteRole.escape != 0
        }
    }

    /// Whether the second character fits the first.
    private func goesOn(at index: Int) -> Bool {
        let next = bytes[index + 1]
        return switch bytes[index] {
        case UInt8(ascii: ":"): next == UInt8(ascii: "A") || next == UInt8(ascii: "/")
        case UInt8(ascii: "-"): next == UInt8(ascii: "-")
        case UInt8(ascii: "A"): "AIKS".utf8.contains(next)
        case UInt8(ascii: "G"): next == UInt8(ascii: "O")
        case UInt8(ascii: "e"): next == UInt8(ascii: "y") || next == UInt8(ascii: "w")
        case UInt8(ascii: "g"): next == UInt8(ascii: "h") || next == UInt8(ascii: "i")
        case UInt8(ascii: "p"): next == UInt8(ascii: "r")
        case UInt8(ascii: "x"): next == UInt8(ascii: "o")
        case UInt8(ascii: "y"): next == UInt8(ascii: "a")
        default: next == UInt8(ascii: "/")
        }
    }

    private mutating func secret(at start: Int) -> Finding? {
        switch bytes[start] {
        case UInt8(ascii: ":"): registration(start) ?? addressUser(start)
        case UInt8(ascii: "-"): keyBlock(start)
        case UInt8(ascii: "e"): webToken(start) ?? encodedAccount(start)
        case UInt8(ascii: "p"): accountKey(start)
        case UInt8(ascii: "A") where bytes.has("AAAA", at: start): serverKey(start)
        default: SecretShape.finding(at: start, in: bytes)
        }
    }
}

// MARK: - FCM secrets

extension SecretScan {
    /// Matches two runs of base64url with `:APA91b` between them, the form of all registrations.
    private func registration(_ colon: Int) -> Finding? {
        guard bytes.has(":APA91b", at: colon) else { return nil }
        let before = found.last?.range.upperBound ?? 0
        let start = bytes[before..<colon].lastIndex { !$0.isOfToken }.map { $0 + 1 } ?? before
        return Finding(kind: .registration, range: start..<bytes.endOfToken(from: colon + 1))
    }

    /// Matches a registration after `AAAA` and seven characters.
    private func serverKey(_ start: Int) -> Finding? {
        let end = bytes.endOfToken(from: start)
        guard end - start == 11, bytes.has(":APA91b", at: end) else { return nil }
        return Finding(kind: .legacyServerKey, range: start..<bytes.endOfToken(from: end + 1))
    }

    /// Matches the value of `private_key` without the surrounding PEM lines.
    ///
    /// With these lines, it is found as a block.
    private func accountKey(_ start: Int) -> Finding? {
        let name: StaticString = "private_key"
        guard bytes.has(name, at: start) else { return nil }
        let rest = bytes[(start + name.utf8CodeUnitCount)...]
        let begin = rest.firstIndex { !"\"':\\ ".utf8.contains($0) } ?? bytes.count
        guard bytes[rest.startIndex..<begin].contains(UInt8(ascii: ":")) else { return nil }
        let end = bytes[begin...].firstIndex { !$0.isOfBase64 } ?? bytes.count
        let isPath = end < bytes.count && "._-".utf8.contains(bytes[end])
        guard end - begin >= 40, !isPath else { return nil }
        let limit = bytes[end...].firstIndex { "\"', }\r\n".utf8.contains($0) } ?? bytes.count
        return Finding(kind: .privateKey, range: begin..<limit)
    }
}

// MARK: - Common secrets

extension SecretScan {
    /// Matches a PEM block to its end.
    ///
    /// If it has no end, it extends to the end of the line or of the quoted text.
    private mutating func keyBlock(_ start: Int) -> Finding? {
        guard bytes.has("-----BEGIN ", at: start) else { return nil }
        let label = bytes[start..<min(bytes.count, start + 60)].prefix { !$0.isLineBreak }
        guard let marker = label.firstRange(of: "PRIVATE KEY-----".utf8) else { return nil }
        let end =
            blockEnd(from: marker.upperBound)
            ?? bytes[marker.upperBound...].firstIndex { $0.isLineBreak || "\"'".utf8.contains($0) }
            ?? bytes.count
        return Finding(kind: .privateKey, range: start..<end)
    }

    /// Precondition: the offset is not before that of an earlier call.
    private mutating func blockEnd(from offset: Int) -> Int? {
        guard !areBlocksOver else { return nil }
        guard let end = bytes[offset...].firstRange(of: "-----END ".utf8) else {
            areBlocksOver = true
            return nil
        }
        let tail = bytes[end.upperBound...].firstRange(of: "-----".utf8)
        return tail?.upperBound ?? end.upperBound
    }

    /// Matches three runs of base64url, joined by dots.
    ///
    /// The header and the claims are JSON objects, so they begin with an encoded `{"`.
    private func webToken(_ start: Int) -> Finding? {
        let header = bytes.endOfToken(from: start)
        guard header - start >= 10, bytes.has("eyJ", at: start), bytes.has(".eyJ", at: header)
        else { return nil }
        let claims = bytes.endOfToken(from: header + 1)
        guard bytes.has(".", at: claims) else { return nil }
        let signature = bytes.endOfToken(from: claims + 1)
        guard signature - claims > 10 else { return nil }
        return Finding(kind: .webToken, range: start..<signature)
    }

    /// Matches the base64 of a service account's file, as written compactly, in one line and by Google's console.
    private func encodedAccount(_ start: Int) -> Finding? {
        let beginnings: [StaticString] = [
            "eyJ0eXBlIjoic2VydmljZV9hY2NvdW50", "eyJ0eXBlIjogInNlcnZpY2VfYWNjb3Vud",
            "ewogICJ0eXBlIjogInNlcnZpY2VfYWNjb3Vud",
        ]
        guard beginnings.contains(where: { bytes.has($0, at: start) }) else { return nil }
        let end = bytes[start...].firstIndex { !$0.isOfBase64 } ?? bytes.count
        return Finding(kind: .privateKey, range: start..<end)
    }

    /// Matches the text between `://` and `@` (RFC 3986, section 3.2.1).
    private func addressUser(_ colon: Int) -> Finding? {
        guard bytes.has("://", at: colon) else { return nil }
        let start = colon + 3
        let authority = bytes[start..<min(bytes.count, start + 512)].prefix {
            $0 > 0x20 && !isEndOfAuthority($0)
        }
        guard let end = authority.lastIndex(of: UInt8(ascii: "@")), end > start else { return nil }
        return Finding(kind: .addressUser, range: start..<end)
    }

    private func isEndOfAuthority(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "/"), UInt8(ascii: "?"), UInt8(ascii: "#"), UInt8(ascii: "\""),
            UInt8(ascii: "'"), UInt8(ascii: "<"), UInt8(ascii: ">"), UInt8(ascii: "`"),
            UInt8(ascii: "\\"):
            true
        default: false
        }
    }
}
