import CampaignModel
import Sending
import State
import Testing

struct SkippedRequestsTests {
    @Test func `both kinds are left out, each with its reason`() {
        var skipped = SkippedRequests(dead: [1, 6], capped: [2, 3, 8])
        #expect(skipped.count == 5)
        let rest = skipped.without(from: RequestRanges([0..<10]))
        #expect(rest == RequestRanges([0..<1, 4..<6, 7..<8, 9..<10]))
        let passed = skipped.take(below: 7)
        #expect(passed.map(\.index) == [1, 6, 2, 3])
        #expect(passed.map(\.detail) == ["dead", "dead", "cap", "cap"])
        #expect(passed.allSatisfy { $0.outcome == .suppressed })
        #expect(skipped.take(below: .max).map(\.index) == [8])
        #expect(skipped.take(below: .max).isEmpty)
    }

    @Test func `those that wait are returned when the mark passes them`() {
        var skipped = SkippedRequests(dead: [1], waiting: [0, 3, 5, 8], mark: 2)
        #expect(skipped.count == 1)
        let rest = skipped.without(from: RequestRanges([0..<10]))
        #expect(rest == RequestRanges([2..<3, 4..<5, 6..<8, 9..<10]))
        let passed = skipped.take(below: 6)
        #expect(passed.map(\.index) == [1, 3, 5])
        #expect(passed.map(\.outcome) == [.suppressed, .returned, .returned])
        // The last one was never released.
        #expect(skipped.take(below: .max).isEmpty)
        #expect(skipped.waiting == [0, 3, 5, 8])
    }

    @Test func `ranges below a mark end at the mark`() {
        let requests = RequestRanges([0..<2, 4..<8, 9..<12])
        #expect(requests.ranges(below: 6) == [0..<2, 4..<6])
        #expect(requests.ranges(below: 0) == [])
        #expect(requests.ranges(below: 20) == requests.all)
    }
}
