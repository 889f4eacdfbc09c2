import CampaignModel
import JSON
import State
import Testing

@testable import StoreTables

struct SecretTextTests {
    private static let text = #"{"encrypted":{"clear":{"data":{"a":"unmistakable"}}}}"#
    private let sealer = ContentSealer(
        vault: StateVault(
            dataKey: [UInt8](repeating: 7, count: 32),
            fingerprintKey: FingerprintKey(bytes: [UInt8](32..<64))
        ),
        path: "s"
    )

    @Test func `a concealed text is JSON that reveals nothing`() throws {
        let concealed = try sealer.concealed(Self.text)
        #expect(JSONValue(parsing: concealed)?.objectValue?.members.map(\.key) == ["sealed"])
        #expect(!concealed.contains("unmistakable"))
        #expect(try sealer.revealed(concealed) == Self.text)
        #expect(try sealer.concealed(Self.text) != concealed)
    }

    @Test func `other texts are unchanged`() throws {
        for text in ["{}", #"{"fields":{"data":{"a":"sealed"}}}"#, #"{"target":{"topic":"t"}}"#] {
            #expect(try sealer.revealed(text) == text)
        }
    }

    @Test func `a changed text is damaged, and needs the keys`() throws {
        let concealed = try sealer.concealed(Self.text)
        let changed = concealed.replacing("\":\"", with: "\":\"A")
        #expect(throws: StateStoreError.self) { try sealer.revealed(changed) }
        let plain = ContentSealer(vault: nil, path: "s")
        #expect(throws: StateStoreError.self) { try plain.revealed(concealed) }
        #expect(throws: StateStoreError.self) { try plain.concealed(Self.text) }
    }
}
