import CampaignModel
import Text

/// The form of a secret: its prefix, length and characters.
struct SecretShape: Sendable {
    private let prefix: StaticString
    private let kind: SecretText
    /// Includes the prefix.
    private let length: ClosedRange<Int>
    private let characters: Characters

    private enum Characters {
        case base64url
        case base64urlAndDots
        case capitalsAndDigits
    }

    private init(
        _ kind: SecretText,
        prefix: StaticString,
        length: ClosedRange<Int>,
        characters: Characters = .base64url
    ) {
        self.prefix = prefix
        self.kind = kind
        self.length = length
        self.characters = characters
    }

    /// The sources are the issuers' documentation.
    ///
    /// For secrets that may grow, the minimum lengths are those in use.
    private static let all: [SecretShape] =
        [
            SecretShape(.apiKey, prefix: "AIza", length: 39...39),
            SecretShape(
                .accessToken,
                prefix: "ya29.",
                length: 30...Int.max,
                characters: .base64urlAndDots
            ),
            SecretShape(.refreshToken, prefix: "1//0", length: 30...Int.max),
            SecretShape(.clientSecret, prefix: "GOCSPX-", length: 30...Int.max),
            SecretShape(
                .amazonKey,
                prefix: "AKIA",
                length: 20...20,
                characters: .capitalsAndDigits
            ),
            SecretShape(
                .amazonKey,
                prefix: "ASIA",
                length: 20...20,
                characters: .capitalsAndDigits
            ),
            SecretShape(.gitHubToken, prefix: "github_pat_", length: 40...Int.max),
        ]
        + ["ghp_", "gho_", "ghu_", "ghs_", "ghr_"].map {
            SecretShape(.gitHubToken, prefix: $0, length: 40...Int.max)
        }
        + ["xoxb-", "xoxp-", "xoxa-", "xoxr-", "xoxs-"].map {
            SecretShape(.slackToken, prefix: $0, length: 24...Int.max)
        }

    /// Returns the secret that begins at `start`.
    static func finding(at start: Int, in bytes: SecretScan.Bytes) -> SecretScan.Finding? {
        all.lazy.compactMap { $0.finding(at: start, in: bytes) }.first
    }

    private func finding(at start: Int, in bytes: SecretScan.Bytes) -> SecretScan.Finding? {
        guard bytes.has(prefix, at: start) else { return nil }
        let end = self.end(from: start + prefix.utf8CodeUnitCount, in: bytes)
        guard length.contains(end - start) else { return nil }
        if characters == .capitalsAndDigits, !bytes[start..<end].allSatisfy(\.isCapitalOrDigit) {
            return nil
        }
        return SecretScan.Finding(kind: kind, range: start..<end)
    }

    private func end(from index: Int, in bytes: SecretScan.Bytes) -> Int {
        var end = bytes.endOfToken(from: index)
        guard characters == .base64urlAndDots else { return end }
        while bytes.has(".", at: end), end + 1 < bytes.count, bytes[end + 1].isOfToken {
            end = bytes.endOfToken(from: end + 1)
        }
        return end
    }
}

/// The roles of a byte in a secret.
enum ByteRole {
    /// Base64url, which registrations, keys and web tokens consist of.
    static let token: UInt8 = 1
    /// A secret may begin with it.
    static let begins: UInt8 = 2
    /// A secret may begin with it even after a `token` byte.
    static let anywhere: UInt8 = 4
    static let escape: UInt8 = 8

    static let table: [UInt8] = (0...UInt8.max).map { byte in
        let roles: [(UInt8, Bool)] = [
            (token, byte.isOfToken),
            (begins, ":-AGegpxy1".utf8.contains(byte)),
            (anywhere, ":-".utf8.contains(byte)),
            (escape, byte == UInt8(ascii: "\\")),
        ]
        return roles.reduce(0) { $1.1 ? $0 | $1.0 : $0 }
    }
}

extension UInt8 {
    var isOfToken: Bool {
        isASCIILetterOrDigit || self == UInt8(ascii: "-") || self == UInt8(ascii: "_")
    }

    fileprivate var isCapitalOrDigit: Bool {
        (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(self) || isASCIIDigit
    }

    var isOfBase64: Bool { isASCIILetterOrDigit || "+/=".utf8.contains(self) }
    var isLineBreak: Bool { self == 0x0A || self == 0x0D }
}

extension UnsafeBufferPointer<UInt8> {
    func has(_ mark: StaticString, at index: Int) -> Bool {
        guard index + mark.utf8CodeUnitCount <= count else { return false }
        return mark.withUTF8Buffer { mark in
            mark.indices.allSatisfy { self[index + $0] == mark[$0] }
        }
    }

    /// Returns the end of the base64url run at an index.
    func endOfToken(from index: Int) -> Int {
        self[index...].firstIndex { !$0.isOfToken } ?? count
    }
}
