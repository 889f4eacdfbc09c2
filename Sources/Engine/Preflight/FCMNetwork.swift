/// The hosts and ports that a network must allow (Firebase documentation, FCM ports and your
/// firewall).
package enum FCMNetwork {
    /// The role of a host for its clients.
    package enum Role: Hashable, Sendable {
        /// Devices keep a connection to one of these hosts.
        case delivery
        /// The same, for Google's tests.
        case trial
        /// Devices occasionally use it over HTTPS.
        case registration
        /// Senders use it over HTTPS.
        case sender
        /// User logins need it over HTTPS; Herald itself never uses it.
        case login
    }

    package struct Host: Hashable, Sendable {
        package let name: String
        package let role: Role

        package init(name: String, role: Role) {
            self.name = name
            self.role = role
        }

        /// The ports at which the host is known to answer, among 5228 to 5230 and 443.
        package var ports: [Int] {
            switch role {
            case .delivery, .trial: devicePorts
            case .registration, .sender, .login: [443]
            }
        }
    }

    package static let devicePorts = [5228, 5229, 5230, 443]

    package static let deviceHosts: [Host] =
        [
            Host(name: "mtalk.google.com", role: .delivery),
            Host(name: "mtalk4.google.com", role: .delivery),
            Host(name: "mtalk-staging.google.com", role: .trial),
            Host(name: "mtalk-dev.google.com", role: .trial),
        ] + (1...8).map { Host(name: "alt\($0)-mtalk.google.com", role: .delivery) }
        + [
            "android.apis.google.com", "device-provisioning.googleapis.com",
            "firebaseinstallations.googleapis.com",
        ].map { Host(name: $0, role: .registration) }

    package static let senderHosts: [Host] =
        ["fcm", "iid", "oauth2", "accounts", "sts", "iamcredentials"]
        .map {
            Host(name: $0 + ".googleapis.com", role: $0 == "accounts" ? .login : .sender)
        }

    /// Minutes for which a firewall must keep idle connections.
    package static let idleMinutes = 30
    /// Google's list of its addresses.
    package static let addressList = "https://www.gstatic.com/ipranges/goog.json"
    /// Days after which this list must be downloaded again.
    package static let addressListAge: Int64 = 31
}

/// Whether a host was reached, per port.
package struct HostReach: Hashable, Sendable {
    package struct Port: Hashable, Sendable {
        package let number: Int
        package let result: Result

        package init(_ number: Int, result: Result) {
            self.number = number
            self.result = result
        }
    }

    package enum Result: Hashable, Sendable {
        case reached(address: String, milliseconds: Int)
        case failed(reason: String)

        package var isReached: Bool { if case .reached = self { true } else { false } }
    }

    package let host: FCMNetwork.Host
    /// In the order of the attempts.
    package let ports: [Port]

    package init(host: FCMNetwork.Host, ports: [Port]) {
        self.host = host
        self.ports = ports
    }

    package var addresses: [String] {
        var addresses: [String] = []
        for port in ports {
            if case .reached(let address, _) = port.result, !addresses.contains(address) {
                addresses.append(address)
            }
        }
        return addresses
    }

    /// The verdict: test and login hosts are optional, and the others must answer at their known
    /// ports.
    package var verdict: CheckupFinding.Verdict {
        let known = ports.filter { host.ports.contains($0.number) }
        let reached = known.count { $0.result.isReached }
        if reached == known.count { return .ok }
        if host.role == .login { return .skipped }
        return reached > 0 || host.role == .trial ? .warning : .problem
    }
}

extension CheckupFinding {
    /// Combines the results for the hosts that devices need, or that senders need.
    package static func finding(_ check: Check, of hosts: [HostReach]) -> CheckupFinding {
        let asked = hosts.reduce(0) { $0 + $1.ports.count }
        let reached = hosts.reduce(0) { $0 + $1.ports.count { $0.result.isReached } }
        let lacking = hosts.filter { [.warning, .problem].contains($0.verdict) }
        let seen = "\(reached) of \(asked) pairs of host and port reached"
        let verdict: Verdict =
            if lacking.contains(where: { $0.verdict == .problem }) {
                .problem
            } else {
                lacking.isEmpty ? .ok : .warning
            }
        guard verdict != .ok else { return .ok(check, seen: seen) }
        let names = lacking.map(\.host.name).joined(separator: ", ")
        return CheckupFinding(
            check,
            verdict: verdict,
            seen: seen + "; problems with \(names)",
            wayOut: check == .devices
                ? "allow outgoing TCP to ports 5228 to 5230 and 443, preferably to any address"
                : "allow outgoing HTTPS (443) to these hosts"
        )
    }
}
