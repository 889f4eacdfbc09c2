import Testing

@testable import CurlTransport

/// Tests how fast additional connections are opened.
struct OpeningIntervalTests {
    @Test func `four connections are opened in a tenth of a second`() {
        var openings = OpeningInterval()
        let start = ContinuousClock.now
        #expect(openings.next(at: start) == nil)
        let first = (0..<4).map { _ in openings.take(at: start) }
        #expect(first == [true, true, true, true])
        let early = openings.take(at: start + .milliseconds(99))
        #expect(!early)
        #expect(openings.next(at: start + .milliseconds(99)) == start + .milliseconds(100))
        #expect(openings.next(at: start + .milliseconds(100)) == nil)
        let later = openings.take(at: start + .milliseconds(100))
        #expect(later)
        #expect(openings.next(at: start + .milliseconds(100)) == nil)
    }
}
