import Testing
import Text

struct ServerAddressTests {
    @Test(arguments: [
        ("https://fcm.googleapis.com", "https://fcm.googleapis.com", ""),
        ("https://FCM.googleapis.com/", "https://fcm.googleapis.com", "/"),
        ("https://a.example:8443/x?y#z", "https://a.example:8443", "/x?y#z"),
        ("http://[::1]:9099/v1", "http://[::1]:9099", "/v1"), ("http://[::1]", "http://[::1]", ""),
        ("https://a?b", "https://a", "?b"),
        ("http://127.0.0.1:65535", "http://127.0.0.1:65535", ""),
    ])
    func `parses an address`(_ url: String, _ base: String, _ rest: String) {
        let address = ServerAddress(of: url)
        #expect(address?.base == base)
        #expect(address?.rest == rest)
    }

    @Test(arguments: [
        "", "fcm.googleapis.com", "ftp://a", "https://", "https:///x", "https://a:", "https://a:0",
        "https://a:65536", "https://a:080", "https://a:8x", "https://user@a", "https://user:p@a",
        "https://a@fcm.googleapis.com", "https://a b", "https://-a", "https://a.", "https://[::1",
        "https://[]", "https://[1]", "https://[::g]", "https://[::1]x", "https://a\n",
        "https://ä.example",
        "HTTPS://a",
    ])
    func `refuses other texts`(_ url: String) {
        #expect(ServerAddress(of: url) == nil)
    }

    @Test(arguments: [
        ("https://fcm.googleapis.com", true, false), ("https://googleapis.com", true, false),
        ("https://fcm.googleapis.com.evil.example", false, false),
        ("https://evilgoogleapis.com", false, false), ("http://127.0.0.1:1", false, true),
        ("http://LOCALHOST", false, true), ("https://[::1]", false, true),
        ("http://127.0.0.1.evil.example", false, false), ("http://127.0.0.2", false, false),
    ])
    func `recognizes Google and this machine`(_ url: String, isGoogles: Bool, isLoopback: Bool) {
        let address = ServerAddress(of: url)
        #expect(address?.isGoogles == isGoogles)
        #expect(address?.isLoopback == isLoopback)
        #expect(address?.isPrivate == (isLoopback || url.hasPrefix("https://")))
    }
}
