import HTTPTransport
import Testing

struct HTTPAnswerTests {
    private let answer = HTTPAnswer(
        status: 429,
        headers: [
            HTTPHeader(name: "retry-after", value: "12"), HTTPHeader(name: "X-A", value: "1"),
            HTTPHeader(name: "x-a", value: "2"),
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
