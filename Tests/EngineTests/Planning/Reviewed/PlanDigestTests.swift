import Planning
import State
import Testing

struct PlanDigestTests {
    private static let hash = "0123456789abcdef0123456789abcdef01234567"

    @Test func `accepts a hash, with or without the serial of its state`() throws {
        let plain = try #require(PlanDigest(Self.hash))
        #expect(plain.hash == Self.hash && plain.serial == nil)
        #expect(plain.description == Self.hash)
        let whole = try #require(PlanDigest(Self.hash + "@12"))
        #expect(whole.hash == Self.hash && whole.serial == StateSerial(number: 12))
        #expect(whole.description == Self.hash + "@12")
        #expect(PlanDigest(Self.hash.uppercased() + "@0")?.hash == Self.hash)
    }

    @Test(arguments: [
        "", "@", "@1", hash.dropLast() + "", hash + "0", hash.dropLast() + "g", hash + "@",
        hash + "@-1", hash + "@1.5", hash + "@1@2", hash + "@99999999999999999999", " " + hash,
        "Digest " + hash, hash + "@ 1",
    ])
    func `rejects any other text`(_ text: String) {
        #expect(PlanDigest(text) == nil)
    }
}
