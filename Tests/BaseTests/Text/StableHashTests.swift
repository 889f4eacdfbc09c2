import Testing
import Text

struct StableHashTests {
    /// Landon Curt Noll, FNV hash, test vectors of FNV-1a with 64 bits.
    @Test(arguments: [
        ("", "cbf29ce484222325"), ("a", "af63dc4c8601ec8c"), ("foobar", "85944171f73967e8"),
    ])
    func `agrees with the published test vectors`(text: String, hash: String) {
        #expect(StableHash.text(of: text) == hash)
        #expect(StableHash.of(text) == UInt64(hash, radix: 16))
    }
}
