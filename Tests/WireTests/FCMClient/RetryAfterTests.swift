import FCMClient
import HTTPTransport
import Testing

struct RetryAfterTests {
    private static let date = HTTPHeader(name: "Date", value: "Sun, 06 Nov 1994 08:49:37 GMT")

    @Test(
        arguments: [
            ("7", 7), ("0", 0), ("-3", 0), ("99999999999", 86_400),
            ("Sun, 06 Nov 1994 08:50:07 GMT", 30), ("Mon, 07 Nov 1994 00:00:00 GMT", 54_623),
            ("Sat, 05 Nov 1994 08:49:37 GMT", 0), ("Fri, 20 Mar 2037 07:30:00 GMT", 86_400),
        ]
    )
    func `reads seconds, or a date by the server's clock`(_ text: String, _ seconds: Int) {
        let answer = HTTPAnswer(
            status: 429,
            headers: [Self.date, HTTPHeader(name: "Retry-After", value: text)]
        )
        #expect(answer.retryAfter == .seconds(seconds))
    }

    @Test(
        arguments: [
            "", "soon", "1.5", "Sun, 06 Nov 1994 08:50:07", "Sun, 31 Feb 1994 08:50:07 GMT",
            "Sun, 06 Nov 1994 24:50:07 GMT", "Sunday, 06-Nov-94 08:49:37 GMT",
        ]
    )
    func `ignores any other value`(_ text: String) {
        let answer = HTTPAnswer(
            status: 429,
            headers: [Self.date, HTTPHeader(name: "Retry-After", value: text)]
        )
        #expect(answer.retryAfter == nil)
    }

    @Test func `ignores a date without the server's clock`() {
        let later = HTTPHeader(name: "Retry-After", value: "Sun, 06 Nov 1994 08:50:07 GMT")
        #expect(HTTPAnswer(status: 429, headers: [later]).retryAfter == nil)
        #expect(HTTPAnswer(status: 429).retryAfter == nil)
    }
}
