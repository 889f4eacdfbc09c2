import Testing
import Text

struct HexadecimalTests {
    @Test func `writes two digits per byte`() {
        #expect(Hexadecimal.text(of: [0, 9, 0x0A, 0xF0, 0xFF]) == "00090af0ff")
        #expect(Hexadecimal.text(of: [0x0A, 0xFF], letters: .upper) == "0AFF")
        #expect(Hexadecimal.text(of: 0x1_0000_00AB) == "00000001000000ab")
    }

    @Test(arguments: [
        ("", []), ("00ff", [0, 255]), ("aBcD", [0xAB, 0xCD]), ("0", nil), ("0g", nil), ("+1", nil),
        ("００", nil),
    ])
    func `reads digits in either case`(text: String, bytes: [UInt8]?) {
        #expect(Hexadecimal.bytes(text.utf8) == bytes)
    }

    @Test func `every byte is restored from its digits`() {
        let bytes = Array(UInt8.min...UInt8.max)
        #expect(Hexadecimal.bytes(Hexadecimal.text(of: bytes).utf8) == bytes)
        #expect(bytes.count(where: \.isASCIIHexDigit) == 22)
        #expect(bytes.count(where: \.isASCIILowercaseHexDigit) == 16)
        #expect(bytes.count(where: \.isASCIILetterOrDigit) == 62)
        #expect(bytes.count(where: \.isASCIILetter) == 52)
    }
}
