import Testing

@testable import HeraldCommands

struct ListenAddressTests {
    @Test(arguments: [
        ("9464", "127.0.0.1", 9_464), ("0", "127.0.0.1", 0), ("127.0.0.1:80", "127.0.0.1", 80),
        ("0.0.0.0:9464", "0.0.0.0", 9_464), ("[::1]:9464", "::1", 9_464),
        ("localhost:65535", "localhost", 65_535),
    ])
    func `reads a port, or host and port`(text: String, host: String, port: Int) throws {
        let address = try #require(ListenAddress(argument: text))
        #expect(address.host == host)
        #expect(address.port == port)
    }

    @Test(arguments: [
        "", ":9464", "host:", "65536", "-1", "a:b", "::1:9464", "http://a:1", "a/b:1",
    ])
    func `refuses other texts`(text: String) {
        #expect(ListenAddress(argument: text) == nil)
    }

    @Test func `writes the URL with the actual port`() throws {
        #expect(try #require(ListenAddress(argument: "0")).url(port: 5) == "http://127.0.0.1:5")
        #expect(try #require(ListenAddress(argument: "[::1]:0")).url(port: 5) == "http://[::1]:5")
    }
}

struct SystemdNotifierTests {
    @Test(
        arguments: [[:], ["NOTIFY_SOCKET": ""], ["NOTIFY_SOCKET": "relative"]] as [[String: String]]
    )
    func `is silent without a service manager`(variables: [String: String]) {
        #expect(SystemdNotifier(variables, processID: 7) == nil)
    }

    @Test(
        arguments: [
            (["WATCHDOG_USEC": "3000000"], Duration.milliseconds(1_500)),
            (["WATCHDOG_USEC": "3000000", "WATCHDOG_PID": "7"], .milliseconds(1_500)),
            (["WATCHDOG_USEC": "3000000", "WATCHDOG_PID": "8"], nil), ([:], nil),
            (["WATCHDOG_USEC": "0"], nil), (["WATCHDOG_USEC": "soon"], nil),
        ] as [([String: String], Duration?)]
    )
    func `pings at half of the watchdog's time`(
        variables: [String: String],
        interval: Duration?
    ) throws {
        let all = variables.merging(["NOTIFY_SOCKET": "@herald"]) { $1 }
        let notifier = try #require(SystemdNotifier(all, processID: 7))
        #expect(notifier.pingInterval == interval)
    }
}
