import Testing

@testable import CurlTransport

struct OriginTests {
    @Test(arguments: [
        ("https://fcm.googleapis.com/v1/a", "HTTPS://FCM.googleapis.com"),
        ("http://a:80/x?y", "http://a:80?z"), ("http://a#f", "http://a/"),
    ])
    func `is equal for URLs with the same scheme, host and port`(
        _ one: String,
        _ other: String
    ) throws {
        #expect(try #require(Origin(of: one)) == #require(Origin(of: other)))
    }

    @Test(arguments: [
        ("http://a/", "https://a/"), ("http://a/", "http://b/"), ("http://a:1/", "http://a:2/"),
    ])
    func `differs with the scheme, host or port`(_ one: String, _ other: String) throws {
        #expect(try #require(Origin(of: one)) != #require(Origin(of: other)))
    }

    @Test(arguments: [
        ("https://fcm.googleapis.com/v1/a?b=c#d", "fcm.googleapis.com", "/v1/a?b=c"),
        ("https://127.0.0.1:9443", "127.0.0.1:9443", "/"),
        ("HTTPS://A.example?b", "a.example", "/?b"),
        ("https://user:word@a.example:8/x", "a.example:8", "/x"),
    ])
    func `returns the parts of a URL that HTTP/2 sends`(
        _ url: String,
        _ authority: String,
        _ path: String
    ) throws {
        let origin = try #require(Origin(of: url))
        #expect(origin.isSecure)
        #expect(origin.authority == authority)
        #expect(origin.path(in: url) == path)
    }
}
