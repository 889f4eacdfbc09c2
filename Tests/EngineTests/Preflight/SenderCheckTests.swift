import Preflight
import Testing

struct SenderCheckTests {
    private func finding(
        _ configured: String?,
        named: String? = nil,
        registered: String? = nil,
        needsIt: Bool = false
    ) -> CheckupFinding {
        SenderCheck.finding(
            configured: configured,
            named: named,
            registered: registered,
            needsIt: needsIt
        )
    }

    @Test func `requires a number only for device groups, and rejects other text`() {
        #expect(finding(nil).verdict == .ok)
        #expect(finding(nil, needsIt: true).verdict == .warning)
        #expect(finding("1029384756", needsIt: true).verdict == .ok)
        #expect(finding("tidewatch").verdict == .problem)
    }

    @Test func `trusts the number in FCM's answer`() {
        #expect(finding("1029384756", named: "1029384756").seen == "1029384756, confirmed by FCM")
        let other = finding("1029384756", named: "5")
        #expect(other.verdict == .problem)
        #expect(other.seen.contains("project 5"))
    }

    @Test func `explains SENDER_ID_MISMATCH with both numbers`() {
        let other = finding("1029384756", registered: "777")
        #expect(other.verdict == .problem)
        #expect(other.seen.contains("777") && other.seen.contains("1029384756"))
        #expect(other.seen.contains("SENDER_ID_MISMATCH"))
        #expect(finding(nil, named: "5", registered: "777").verdict == .problem)
        #expect(finding("5", registered: "5").seen == "5, confirmed by FCM")
    }

    /// An emulator's devices belong to no project number.
    @Test(arguments: ["0", "tidewatch"])
    func `compares numbers only`(_ registered: String) {
        #expect(finding("5", registered: registered).verdict == .ok)
    }
}

struct ProxyCheckTests {
    private let fcm = "https://fcm.googleapis.com"

    @Test func `names the proxy without its password`() {
        let variables = ["https_proxy": "http://robot:hunter2@proxy.example:3128"]
        let finding = ProxyCheck.finding(for: fcm, variables: variables)
        #expect(
            finding.seen == "http://proxy.example:3128 with a user name, from https_proxy"
        )
        #expect(ProxyCheck.isUsed(for: fcm, variables: variables))
    }

    @Test(arguments: [
        ["http_proxy": "http://p:1"], ["https_proxy": ""],
        ["HTTPS_PROXY": "http://p:1", "no_proxy": "localhost, .googleapis.com"],
        ["ALL_PROXY": "http://p:1", "NO_PROXY": "*"],
    ])
    func `detects that no proxy is used`(_ variables: [String: String]) {
        #expect(!ProxyCheck.isUsed(for: fcm, variables: variables))
    }

    @Test func `uses no proxy for this machine, and ignores HTTP_PROXY for cleartext addresses`() {
        #expect(
            !ProxyCheck.isUsed(
                for: "http://127.0.0.1:9099",
                variables: ["http_proxy": "http://p:1"]
            )
        )
        #expect(
            !ProxyCheck.isUsed(
                for: "http://gateway.example",
                variables: ["HTTP_PROXY": "http://p:1"]
            )
        )
        #expect(
            ProxyCheck.isUsed(
                for: "http://gateway.example",
                variables: ["http_proxy": "http://p:1"]
            )
        )
    }
}
