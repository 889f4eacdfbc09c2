import Testing

@testable import CampaignLoading

struct DigitPatternTests {
    @Test(
        arguments: [
            0...0, 0...1, 1...12, 7...7, 38...123, 100...999, 90...110, 5...1234, 199...2001,
            0...1500,
        ] as [ClosedRange<Int64>]
    )
    func `matches exactly the numbers of a range`(range: ClosedRange<Int64>) throws {
        let regex = try Regex(DigitPattern.numbers(in: range))
        for number in Int64(0)...2100 {
            let isMatch = String(number).wholeMatch(of: regex) != nil
            #expect(isMatch == range.contains(number), "\(number)")
        }
    }

    @Test func `is as short as a handwritten pattern`() {
        #expect(
            DigitPattern.numbers(in: 1...1_000_000) == "[1-9]|[1-9][0-9]|[1-9][0-9]{2}|"
                + "[1-9][0-9]{3}|[1-9][0-9]{4}|[1-9][0-9]{5}|1000000"
        )
        #expect(DigitPattern.numbers(in: 3...9) == "[3-9]")
    }

    @Test func `covers the greatest number`() throws {
        let regex = try Regex(DigitPattern.numbers(in: 1...Int64.max))
        #expect("9223372036854775807".wholeMatch(of: regex) != nil)
        #expect("9223372036854775808".wholeMatch(of: regex) == nil)
        #expect("10000000000000000000".wholeMatch(of: regex) == nil)
    }
}
