import Testing

@testable import CurlTransport

/// Tests how fast additional connections are opened.
struct OpeningIntervalTests {
    @Test func `four connections are opened in a tenth of a second`() {
        var openings = OpeningInterval()
        let start = ContinuousClock.now
        #expect(openings.next(at: start) == nil)
        for _ in 0..<4 { #expect(openings.take(at: start)) }
        #expect(!openings.take(at: start + .milliseconds(99)))
        #expect(openings.next(at: start + .milliseconds(99)) == start + .milliseconds(100))
        #expect(openings.next(at: start + .milliseconds(100)) == nil)
        #expect(openings.take(at: start + .milliseconds(100)))
        #expect(openings.next(at: start + .milliseconds(100)) == nil)
    }
}
