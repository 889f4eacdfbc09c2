import Testing
import Text

struct UTF8ValidationTests {
    @Test(arguments: [
        ([0x61, 0xC3, 0x28], 1), ([0xFF], 0), ([0x61, 0xE2, 0x82], 1), ([0x61, 0x80], 1),
        ([0xED, 0xA0, 0x80], 0), ([0xC0, 0x80], 0), ([0xC3, 0xA9, 0xF5], 2),
    ])
    func `finds the first byte that is not part of a character`(bytes: [UInt8], offset: Int) {
        #expect(bytes[...].firstInvalidUTF8 == offset)
        #expect(([0x61, 0x62] + bytes)[2...].firstInvalidUTF8 == offset + 2)
    }

    @Test(arguments: ["", "a", "\0", "é潮🌊", "\u{FEFF}"])
    func `finds nothing in text`(text: String) {
        #expect(Array(text.utf8)[...].firstInvalidUTF8 == nil)
    }
}
