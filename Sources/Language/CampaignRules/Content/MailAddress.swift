import CampaignModel
import Text

/// A mail address in a text.
struct MailAddress: Hashable, Sendable {
    let local: String
    let domain: String

    /// Local parts that are meant for publication.
    private static let publicNames: Set<String> = [
        "info", "contact", "support", "help", "hello", "office", "press", "news", "noreply",
        "no-reply",
    ]

    /// Whether it is the sender's address instead of a person's.
    ///
    /// `domain` is that of the campaign's owner.
    func isPublic(domain owner: String?) -> Bool {
        domain.lowercased() == owner?.lowercased() || Self.publicNames.contains(local.lowercased())
    }

    static func all(in text: String) -> [MailAddress] {
        let bytes = Array(text.utf8)
        return bytes.indices.filter { bytes[$0] == UInt8(ascii: "@") }
            .compactMap { address(around: $0, in: bytes) }
    }

    private static func address(around sign: Int, in bytes: [UInt8]) -> MailAddress? {
        let start = bytes[..<sign].lastIndex { !isLocalByte($0) }.map { $0 + 1 } ?? 0
        let end = bytes[(sign + 1)...].firstIndex { !isDomainByte($0) } ?? bytes.count
        // A preceding slash indicates a link, a preceding @ a name in a social network.
        let isPartOfMore = start > 0 && "/@".utf8.contains(bytes[start - 1])
        let labels = bytes[(sign + 1)..<end].split(separator: UInt8(ascii: "."))
        guard start < sign, !isPartOfMore, labels.count >= 2, let top = labels.last,
            isTopLevel(top)
        else { return nil }
        return MailAddress(
            local: String(decoding: bytes[start..<sign], as: UTF8.self),
            domain: labels.map { String(decoding: $0, as: UTF8.self) }.joined(separator: ".")
        )
    }

    /// File names of pictures such as `name@2x.png` are not addresses.
    private static func isTopLevel(_ label: ArraySlice<UInt8>) -> Bool {
        let text = String(decoding: label, as: UTF8.self)
        return label.count >= 2 && label.allSatisfy(\.isASCIILetter)
            && !["png", "jpg", "jpeg", "gif", "webp", "svg"].contains(text.lowercased())
    }

    private static func isLocalByte(_ byte: UInt8) -> Bool {
        byte.isASCIILetterOrDigit || ".!#$%&'*+-=?^_{|}~".utf8.contains(byte)
    }

    private static func isDomainByte(_ byte: UInt8) -> Bool {
        byte.isASCIILetterOrDigit || "-.".utf8.contains(byte)
    }
}
