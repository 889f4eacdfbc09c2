import EmulatorWeb
import Testing

@testable import EmulatorAPI

struct BrowserGuardTests {
    private func isForeign(
        _ host: String?,
        _ origin: String?,
        to method: String = "PATCH",
        _ path: String = "/emulator/v1/devices/pixel"
    ) -> Bool {
        EmulatorRequest(method: method, target: path, host: host, origin: origin).isForeign
    }

    @Test(arguments: [
        "127.0.0.1:9099", "localhost:9099", "LOCALHOST", "[::1]:9099", "emulator:9099",
        "tidewatch.localhost", "host.docker.internal:9099", "fcm.googleapis.com",
    ])
    func `accepts addresses and names that cannot be registered publicly`(host: String) {
        #expect(!isForeign(host, nil))
        #expect(!isForeign(host, "http://" + host))
        #expect(!isForeign(host, nil, to: "GET", "/"))
    }

    @Test(arguments: ["evil.example:9099", "127.0.0.1.evil.example", "1.2.3.4.5", "256.0.0.1"])
    func `refuses names that may be registered publicly`(host: String) {
        #expect(isForeign(host, nil))
        #expect(isForeign(host, nil, to: "GET", "/"))
        #expect(isForeign(host, nil, to: "GET", "/emulator/v1/changes"))
        #expect(isForeign(host, "http://" + host, to: "POST", "/v1/projects/p/messages:send"))
        #expect(isForeign(host, nil, to: "POST", "/v1/projects/p/messages:send"))
        #expect(isForeign(host, nil, to: "GET", "/iid/info/registration"))
    }

    @Test(arguments: [
        "null", "https://evil.example", "http://localhost:9098", "http://localhost",
        "http://localhost:9099/", "file://",
    ])
    func `refuses requests from pages of other origins`(origin: String) {
        #expect(isForeign("localhost:9099", origin))
        #expect(isForeign("localhost:9099", origin, to: "POST", "/v1/projects/p/messages:send"))
        #expect(isForeign(nil, origin))
    }

    @Test func `accepts requests without a host`() {
        #expect(!isForeign(nil, nil))
        #expect(!isForeign(nil, nil, to: "POST", "/v1/projects/p/messages:send"))
    }
}
