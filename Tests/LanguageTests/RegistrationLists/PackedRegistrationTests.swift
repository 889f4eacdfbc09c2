import CampaignModel
import Testing

struct PackedRegistrationTests {
    private func entry(_ text: String) throws -> [UInt8] {
        var bytes: [UInt8] = [9]
        PackedRegistration.append(try #require(Registration(text)), to: &bytes)
        #expect(bytes.first == 9)
        return Array(bytes.dropFirst())
    }

    private func text(_ entry: [UInt8]) -> String? {
        entry.withUnsafeBytes { PackedRegistration.registration($0)?.token }
    }

    @Test(arguments: [
        "A", "ab", "abc", "abcd", "a-_9Z", ":", ":a", "a:", "fid:APA91bExample", "a:b:c", "a/b",
        "~", "a.b:c",
    ])
    func `reads packed registrations`(text: String) throws {
        let entry = try entry(text)
        #expect(self.text(entry) == text)
        #expect(entry.withUnsafeBytes { PackedRegistration.length($0) } == entry.count)
    }

    @Test func `packs four characters into three bytes, as base64url does`() throws {
        #expect(try entry("SGVy") == [0, 4, 0x48, 0x65, 0x72])
        #expect(try entry("SG:Vy") == [0x20, 5, 2, 0x48, 0x65, 0x72])
        #expect(try entry(String(repeating: "x", count: 163)).count == 2 + 123)
        let token = String(repeating: "x", count: 22) + ":" + String(repeating: "y", count: 140)
        #expect(try entry(token).count == 3 + 122)
    }

    @Test func `keeps other characters as they are`() throws {
        #expect(try entry("a/b") == [0x40, 3] + Array("a/b".utf8))
        #expect(try entry("a:b:c") == [0x40, 5] + Array("a:b:c".utf8))
        let late = String(repeating: "x", count: 256) + ":"
        #expect(try entry(late).count == 2 + 257)
    }

    @Test func `any length and any place of the colon can be read again`() throws {
        for length in 1...300 {
            let plain = String(repeating: "Zy0-", count: 75).prefix(length)
            #expect(try text(entry(String(plain))) == String(plain))
            let place = length * 7 % (length + 1)
            let colon = plain.prefix(place) + ":" + plain.dropFirst(place)
            #expect(try text(entry(String(colon))) == String(colon))
        }
    }

    @Test func `rejects damaged entries`() throws {
        let entry = try entry("fid:APA91bExample")
        for count in 0..<entry.count { #expect(text(Array(entry.prefix(count))) == nil) }
        #expect(text(entry + [0]) == nil)
        #expect(text([0xE0, 1, 65]) == nil)
        #expect(text([0x20, 2, 7, 0]) == nil)
        #expect(text(PackedRegistration.erased) == nil)
        #expect(text([0x40, 1, 0x20]) == nil)
    }
}
