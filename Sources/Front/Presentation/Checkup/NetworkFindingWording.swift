package import Preflight

/// The findings of `herald doctor --network` about senders.
extension CheckupFinding {
    /// `proxy`: the proxy's address and the variable that names it.
    package static func sendersBehindProxy(_ proxy: String) -> CheckupFinding {
        .skipped(.senders, because: "requests go through a proxy: \(proxy)")
    }
}

/// Why a host was not reached.
extension HostReach.Result {
    package static let noAddress = HostReach.Result.failed(reason: "no address")
    package static let noAnswer = HostReach.Result.failed(reason: "no answer in time")
    package static let refused = HostReach.Result.failed(reason: "refused")
}

/// What `herald doctor --hold` reports about an idle connection.
package struct IdleConnectionWording: Sendable {
    private let host: String
    /// The host with its port.
    private let name: String
    /// The time without data.
    private let length: String

    private static let idleMinutes = FCMNetwork.idleMinutes

    /// `length`: the time for which the connection is idle, as text.
    package init(to host: String, port: Int, length: String) {
        self.host = host
        name = "\(host):\(port)"
        self.length = length
    }

    package var announcement: String { "Holding an idle connection to \(name) for \(length) …\n" }

    /// `isEnough`: whether it was idle for longer than networks must allow.
    package func stillOpen(isEnough: Bool) -> CheckupFinding {
        let seen = "a connection to \(name) was still open after \(length) idle"
        guard !isEnough else { return .ok(.idle, seen: seen) }
        return .ok(
            .idle,
            seen: seen + "; the requirement is about \(Self.idleMinutes) minutes: `--hold 31m` "
                + "checks it"
        )
    }

    package var silent: CheckupFinding {
        problem("after \(length) idle, a connection to \(name) no longer answered")
    }

    package func closed(after time: Duration) -> CheckupFinding {
        CheckupFinding(
            .idle,
            verdict: .warning,
            seen: "a connection to \(name) was closed after \(time.components.seconds) s idle, by "
                + "the server or by a device in between",
            wayOut: "to find out which, test a connection to your own server outside: "
                + "`--connect-to \(host)::ADDRESS:PORT`"
        )
    }

    package func unreached(because detail: String) -> CheckupFinding {
        problem("\(name): \(detail)")
    }

    private func problem(_ seen: String) -> CheckupFinding {
        CheckupFinding(
            .idle,
            verdict: .problem,
            seen: seen,
            wayOut: "let NAT and stateful inspection keep idle connections for "
                + "\(Self.idleMinutes) minutes or more"
        )
    }
}
