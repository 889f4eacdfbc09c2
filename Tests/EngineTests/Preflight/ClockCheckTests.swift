import HTTPTransport
import Preflight
import Testing
import Time

struct ClockCheckTests {
    /// 2037-03-20, 08:30:00 UTC.
    private static let date = "Fri, 20 Mar 2037 08:30:00 GMT"

    private func finding(
        before: Int64,
        after: Int64? = nil,
        date: String? = date
    ) throws -> CheckupFinding {
        let served = try #require(Instant(rfc3339: "2037-03-20T08:30:00Z"))
        let headers = date.map { [HTTPHeader(name: "Date", value: $0)] } ?? []
        return ClockCheck.finding(
            HTTPAnswer(status: 200, headers: headers),
            before: Instant(secondsSince1970: served.secondsSince1970 + before),
            after: Instant(secondsSince1970: served.secondsSince1970 + (after ?? before))
        )
    }

    @Test(arguments: [
        (Int64(0), CheckupFinding.Verdict.ok), (60, .ok), (61, .warning), (300, .warning),
        (301, .problem),
        (-60, .ok), (-61, .warning), (-300, .warning), (-301, .problem),
    ])
    func `warns from one minute on, and reports five minutes as a problem`(
        _ skew: Int64,
        _ verdict: CheckupFinding.Verdict
    ) throws {
        let finding = try finding(before: skew)
        #expect(finding.verdict == verdict)
        #expect((finding.wayOut == nil) == (verdict == .ok))
        if skew > 0 { #expect(finding.seen.hasPrefix("\(skew) s ahead of the server")) }
        if skew < 0 { #expect(finding.seen.hasPrefix("\(-skew) s behind the server")) }
    }

    @Test func `excludes the time of a slow answer`() throws {
        #expect(try finding(before: -400, after: 0).seen == "agrees with the server's")
        #expect(try finding(before: -400, after: -70).seen == "70 s behind the server")
    }

    @Test func `reports nothing without a date, and warns of an unreadable one`() throws {
        #expect(try finding(before: 900, date: nil).verdict == .skipped)
        #expect(try finding(before: 0, date: "yesterday").verdict == .warning)
    }
}
