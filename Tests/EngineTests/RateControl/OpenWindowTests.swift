import Testing

@testable import RateControl

/// Tests how many requests may be open.
struct OpenWindowTests {
    private func window(unknown: Int = 4_000, roundTrip: Duration) -> OpenWindow {
        var window = OpenWindow(OpenLimit(unknown: unknown))
        window.answered(after: roundTrip, now: .zero)
        return window
    }

    @Test func `starts without a measured answer`() {
        let window = OpenWindow(OpenLimit(unknown: 4_000))
        #expect(window.size(at: 10_000) == 64)
        #expect(window.roundTrip == nil)
    }

    @Test(
        arguments: [
            // Twice the rate times the time.
            (1_000.0, 100, 200), (9_900.0, 100, 1_980), (9_900.0, 150, 2_970),
            // The least, and the bound of 4,000 without its eighth.
            (9_900.0, 1, 64), (9_900.0, 500, 3_500),
        ]
    )
    func `follows the rate and the time of an answer`(
        rate: Double,
        milliseconds: Int,
        expected: Int
    ) {
        let window = window(roundTrip: .milliseconds(milliseconds))
        #expect(window.size(at: rate) == expected)
    }

    @Test func `uses the shortest time, because open requests delay each other`() {
        var window = window(roundTrip: .milliseconds(100))
        window.answered(after: .milliseconds(900), now: .seconds(1))
        #expect(window.roundTrip == .milliseconds(100))
    }

    @Test func `forgets a time after two intervals`() {
        var window = window(roundTrip: .milliseconds(100))
        window.answered(after: .milliseconds(300), now: .seconds(10))
        #expect(window.roundTrip == .milliseconds(100))
        window.answered(after: .milliseconds(400), now: .seconds(20))
        #expect(window.roundTrip == .milliseconds(300))
        window.answered(after: .milliseconds(500), now: .seconds(30))
        #expect(window.roundTrip == .milliseconds(400))
    }

    @Test(arguments: [(2, 1, 1), (8, 7, 7), (64, 56, 56), (4_000, 64, 3_500)])
    func `open requests and what is released before they are sent stay within the bound`(
        unknown: Int,
        start: Int,
        most: Int
    ) {
        let limit = OpenLimit(unknown: unknown)
        #expect(limit.unknown == unknown)
        #expect(limit.start == start)
        #expect(limit.most == most)
    }

    @Test func `a fixed number does not follow`() {
        var window = OpenWindow(OpenLimit(fixed: 10))
        window.answered(after: .seconds(1), now: .zero)
        #expect(window.size(at: 10_000) == 10)
        #expect(window.limit.unknown == 20)
    }

    @Test func `few open files lower the limit`() {
        let limit = OpenLimit(unknown: 4_000).limited(to: 900)
        #expect(limit.most == 900)
        #expect(limit.start == 64)
        #expect(OpenLimit(unknown: 4_000).limited(to: 5_000) == OpenLimit(unknown: 4_000))
    }
}
