import State
import Testing

struct StateKeyTests {
    private static let bytes = [UInt8](0..<32)
    // By `printf … | base64` and `xxd -p`.
    private static let base64 = "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8="
    private static let digits = "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f"

    @Test(arguments: [
        base64, digits, digits.uppercased(), " \(base64)\n", "\t\(digits)\r\n",
    ])
    func `reads base64 or hexadecimal digits`(text: String) throws {
        #expect(StateKey(text: text.utf8)?.bytes == Self.bytes)
    }

    @Test(arguments: [
        "", " ", "secret", String(digits.dropLast()), digits + "0", digits + digits,
        String(base64.dropLast()), String(base64.dropFirst(4)), "AAAA" + base64,
        digits.replacing("1f", with: "1g"), base64.replacing("A", with: "-"),
    ])
    func `rejects any other text`(text: String) {
        #expect(StateKey(text: text.utf8) == nil)
    }

    @Test func `never prints itself`() throws {
        let key = try #require(StateKey(bytes: Self.bytes))
        var dumped = ""
        dump(StateKeys(key: key, previous: key), to: &dumped)
        for text in ["\(key)", String(reflecting: key), dumped] {
            #expect(!text.contains("31") && !text.contains("bytes"))
        }
    }
}
