import Testing

@testable import CurlTransport

struct OriginTests {
    @Test(arguments: [
        ("https://fcm.googleapis.com/v1/a", "HTTPS://FCM.googleapis.com"),
        ("http://a:80/x?y", "http://a:80?z"), ("http://a#f", "http://a/"),
    ])
    func `is the same for URLs of one scheme, host and port`(
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
}
