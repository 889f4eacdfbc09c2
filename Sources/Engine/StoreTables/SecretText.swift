import FoundationEssentials
import JSON
import State

// The text of an encrypted message is in the state, because a later run may send it. It is sealed as
// a whole: a message, the stored form of a campaign, or the terms of a fleet.
extension ContentSealer {
    /// Returns JSON that reveals a text only to those who have the state's keys.
    ///
    /// A place is random, so that a campaign can be renamed.
    package func concealed(_ text: String) throws -> String {
        guard let vault else {
            throw StateStoreError.failed(
                path: path,
                reason: "an encrypted message is stored only in an encrypted state"
            )
        }
        var place: [UInt8] = []
        for _ in 0..<Self.placeSize { place.append(.random(in: .min ... .max)) }
        let sealed = try vault.seal(Data(text.utf8), at: .text(Data(place)))
        let value = JSONValue.object([
            Self.member: .string((Data(place) + sealed).base64EncodedString())
        ])
        return value.compactText
    }

    /// Returns the readable form of a stored text; a text that is not concealed is returned unchanged.
    package func revealed(_ text: String) throws -> String {
        guard text.hasPrefix("{\"\(Self.member)\":") else { return text }
        guard let stored = JSONValue(parsing: text)?[Self.member]?.stringValue,
            let bytes = Data(base64Encoded: stored), bytes.count > Self.placeSize
        else { throw damaged("a sealed message cannot be read") }
        guard let vault else { throw StateStoreError.encrypted(path: path) }
        let place = Data(bytes.prefix(Self.placeSize))
        guard let plain = vault.open(Data(bytes.dropFirst(Self.placeSize)), at: .text(place)) else {
            throw damaged("a stored message cannot be decrypted")
        }
        return String(decoding: plain, as: UTF8.self)
    }

    private static let member = "sealed"
    private static let placeSize = 16
}
