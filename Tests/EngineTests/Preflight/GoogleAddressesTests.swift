import Preflight
import Testing
import Time

struct GoogleAddressesTests {
    /// In the form of https://www.gstatic.com/ipranges/goog.json.
    private let json = """
        {"syncToken": "1715732128000", "creationTime": "2037-03-01T15:15:28.21549",
         "prefixes": [{"ipv4Prefix": "8.8.4.0/24"}, {"ipv4Prefix": "34.0.64.0/19"},
                      {"ipv6Prefix": "2001:4860::/32"}, {"ipv6Prefix": "2404:6800:4000::/35"}]}
        """

    private func list() throws -> GoogleAddresses {
        try #require(GoogleAddresses(json: Array(json.utf8)))
    }

    @Test(arguments: [
        ("8.8.4.0", true), ("8.8.4.255", true), ("8.8.5.0", false), ("8.8.3.255", false),
        ("34.0.64.0", true), ("34.0.95.255", true), ("34.0.96.0", false), ("34.0.63.255", false),
        ("2001:4860:4860::8888", true), ("2001:4861::", false),
        ("2404:6800:5fff::1", true), ("2404:6800:6000::", false),
        ("::ffff:8.8.4.4", false), ("8.8.4", false), ("", false),
    ])
    func `recognizes the addresses in its blocks`(_ address: String, _ isInside: Bool) throws {
        #expect(try list().contains(address) == isInside)
    }

    @Test(arguments: [
        "", "{}", #"{"creationTime": "2037-03-01T15:15:28", "prefixes": []}"#,
        #"{"creationTime": "2037-03-01T15:15:28", "prefixes": [{"ipv4Prefix": "8.8.4.0/33"}]}"#,
        #"{"creationTime": "2037-03-01T15:15:28", "prefixes": [{"ipv4Prefix": "8.8.4/24"}]}"#,
        #"{"creationTime": "March", "prefixes": [{"ipv4Prefix": "8.8.4.0/24"}]}"#,
        #"{"prefixes": [{"ipv4Prefix": "8.8.4.0/24"}]}"#,
    ])
    func `rejects other JSON`(_ text: String) {
        #expect(GoogleAddresses(json: Array(text.utf8)) == nil)
    }

    @Test(arguments: [
        ("2037-03-01T16:00:00Z", CheckupFinding.Verdict.ok), ("2037-04-02T15:00:00Z", .ok),
        ("2037-04-02T15:15:28Z", .warning),
    ])
    func `requires a new download every month`(
        _ now: String,
        _ verdict: CheckupFinding.Verdict
    ) throws {
        let now = try #require(Instant(rfc3339: now))
        #expect(try list().finding(of: ["8.8.4.4"], at: now).verdict == verdict)
    }

    @Test func `names addresses outside all blocks`() throws {
        let now = try #require(Instant(rfc3339: "2037-03-02T00:00:00Z"))
        let finding = try list().finding(of: ["8.8.4.4", "192.0.2.1"], at: now)
        #expect(finding.verdict == .problem)
        #expect(finding.seen == "4 blocks, 0 days old; they do not contain 192.0.2.1")
    }
}

struct HostReachTests {
    private let device = FCMNetwork.deviceHosts[0]

    private func reach(_ host: FCMNetwork.Host, at open: Set<Int>) -> HostReach {
        HostReach(
            host: host,
            ports: FCMNetwork.devicePorts.map { number in
                HostReach.Port(
                    number,
                    result: open.contains(number)
                        ? .reached(address: "192.0.2.\(number % 100)", milliseconds: 1)
                        : .failed(reason: "refused")
                )
            }
        )
    }

    @Test func `requires every port of a host that devices connect to`() {
        #expect(reach(device, at: [5228, 5229, 5230, 443]).verdict == .ok)
        #expect(reach(device, at: [5228]).verdict == .warning)
        #expect(reach(device, at: []).verdict == .problem)
    }

    @Test func `requires only HTTPS of other hosts, and ignores test hosts`() throws {
        let api = try #require(FCMNetwork.deviceHosts.last)
        #expect(api.name == "firebaseinstallations.googleapis.com")
        #expect(reach(api, at: [443]).verdict == .ok)
        #expect(reach(api, at: [5228]).verdict == .problem)
        let trial = try #require(FCMNetwork.deviceHosts.first { $0.role == .trial })
        #expect(reach(trial, at: []).verdict == .warning)
    }

    @Test func `reports each address once`() {
        #expect(reach(device, at: [5228, 443]).addresses == ["192.0.2.28", "192.0.2.43"])
    }

    @Test func `counts host and port pairs, and names the wrong ones`() {
        let mended = CheckupFinding.finding(
            .devices,
            of: [reach(device, at: [5228, 5229, 5230, 443])]
        )
        #expect(mended == .ok(.devices, seen: "4 of 4 pairs of host and port reached"))
        let broken = CheckupFinding.finding(.devices, of: [reach(device, at: [])])
        #expect(broken.verdict == .problem)
        #expect(broken.seen.contains("0 of 4") && broken.seen.contains("mtalk.google.com"))
    }
}
