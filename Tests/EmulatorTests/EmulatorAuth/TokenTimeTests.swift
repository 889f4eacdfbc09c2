import Testing

@testable import EmulatorAuth

struct TokenTimeTests {
    @Test(arguments: [
        "1970-01-01T00:00:00.000Z", "2037-03-20T07:30:00.009Z", "9999-12-31T23:59:59.999Z",
    ])
    func `parses the form that it formats`(text: String) throws {
        #expect(try #require(TokenTime(rfc3339: text)).rfc3339 == text)
    }

    @Test(arguments: [
        "", "2037-03-20T07:30:00Z", "2037-03-20T07:30:00.0000", "2037-03-20T07:30:00.-01Z",
        "2037-02-30T07:30:00.000Z", "2037-03-20t07:30:00.000Z", "2037-03-20T07:30:00,000Z",
    ])
    func `refuses other forms`(text: String) {
        #expect(TokenTime(rfc3339: text) == nil)
    }

    @Test func `stops at the last representable time`() {
        let time = TokenTime(milliseconds: 1_500)
        #expect(time.advanced(bySeconds: 60).milliseconds == 61_500)
        #expect(time.advanced(bySeconds: .max).milliseconds == .max)
    }
}
