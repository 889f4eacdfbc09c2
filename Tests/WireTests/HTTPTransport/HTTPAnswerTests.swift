import HTTPTransport
import Testing

struct HTTPAnswerTests {
    private let answer = HTTPAnswer(
        status: 429,
        headers: [
            HTTPHeader("retry-after", "12"), HTTPHeader("X-A", "1"), HTTPHeader("x-a", "2"),
        ]
    )

    @Test func `finds a header in any letter case`() {
        #expect(answer.header("Retry-After") == "12")
        #expect(answer.header("RETRY-AFTER") == "12")
    }

    @Test func `returns the first of several headers with one name`() {
        #expect(answer.header("x-a") == "1")
    }

    @Test func `returns nil for a missing header`() {
        #expect(answer.header("Retry") == nil)
    }
}
