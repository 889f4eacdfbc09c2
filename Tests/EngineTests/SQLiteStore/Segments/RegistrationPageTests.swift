import CampaignModel
import Foundation
import StoreConformance
import Testing

@testable import SQLiteStore
@testable import StoreTables

struct RegistrationPageTests {
    private func packed(_ text: String) throws -> ArraySlice<UInt8> {
        var bytes: [UInt8] = []
        PackedRegistration.append(try #require(Registration(text)), to: &bytes)
        return bytes[...]
    }

    private func page(of texts: [String]) throws -> Data {
        var builder = RegistrationPageBuilder()
        for (number, text) in texts.enumerated() {
            let slot = builder.add(
                try packed(text),
                of: Fingerprint(high: UInt64(number), low: 0)
            )
            #expect(slot == UInt8(number))
        }
        return builder.finish()
    }

    @Test func `32 usual registrations fit on a page of the file`() throws {
        let token = String(repeating: "x", count: 22) + ":" + String(repeating: "y", count: 140)
        var builder = RegistrationPageBuilder()
        let print = Fingerprint(high: 0, low: 0)
        for _ in 0..<32 { #expect(builder.add(try packed(token), of: print) != nil) }
        #expect(builder.add(try packed(token), of: print) == nil)
        let page = builder.finish()
        #expect(page.count <= RegistrationPage.size)
        #expect(page.first == RegistrationPage.format)
        #expect(builder.count == 0)
    }

    @Test func `a page has at most 255 registrations`() throws {
        var builder = RegistrationPageBuilder()
        let print = Fingerprint(high: 0, low: 0)
        for _ in 0..<255 { #expect(builder.add(try packed("a"), of: print) != nil) }
        #expect(builder.add(try packed("a"), of: print) == nil)
    }

    @Test func `a registration that is longer than a page has its own`() throws {
        let long = String(repeating: ".", count: 4_096)
        let page = try #require(RegistrationPage(try page(of: [long])))
        #expect(page.registration(0)?.token == long)
    }

    @Test func `returns each registration by its slot`() throws {
        let texts = (0..<9).map { "token-\($0)" }
        let page = try #require(RegistrationPage(try page(of: texts)))
        #expect(page.count == 9)
        #expect(page.highest == 8)
        for (slot, text) in texts.enumerated() {
            #expect(page.registration(UInt8(slot))?.token == text)
        }
        #expect(page.registration(9) == nil)
    }

    @Test func `erased registrations leave nothing but their slots`() throws {
        let texts = (0..<4).map { "token-\($0)" }
        let data = try page(of: texts)
        let page = try #require(RegistrationPage(data))
        let rest = try #require(page.erasing([1, 3]))
        #expect(rest.range(of: Data(try packed("token-1"))) == nil)
        let after = try #require(RegistrationPage(rest))
        #expect((0..<4).map { after.registration($0)?.token } == ["token-0", nil, "token-2", nil])
        // The highest fingerprint may be that of an erased registration.
        #expect(after.highest == 0x00FF_FFFF_FFFF_FFFF)
        #expect(after.erasing([0, 2]) == nil)
        #expect(page.erasing([]) == data)
    }

    @Test func `rejects damaged pages`() throws {
        let data = try page(of: ["token-0", "token-1"])
        for count in 0..<9 { #expect(RegistrationPage(data.prefix(count)) == nil) }
        #expect(RegistrationPage(data.dropLast()) == nil)
        #expect(RegistrationPage(Data([1]) + data.dropFirst()) == nil)
    }
}
