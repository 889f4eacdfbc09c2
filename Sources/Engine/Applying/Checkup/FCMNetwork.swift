/// What a network has to let through (Firebase documentation, FCM ports and your firewall).
package enum FCMNetwork {
    /// What a host is to those who connect to it.
    package enum Role: Hashable, Sendable {
        /// Devices keep a connection to one of these.
        case delivery
        /// The same, for Google's own trials.
        case trial
        /// Devices ask it over HTTPS now and then.
        case registration
        /// Senders ask it over HTTPS.
        case sender
        /// People who log in ask it over HTTPS; Herald itself never does.
        case login
    }

    package struct Host: Hashable, Sendable {
        package let name: String
        package let role: Role

        /// Of 5228 to 5230 and 443, those that it is known to answer at.
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

    /// In minutes: for so long a firewall has to keep connections that are idle.
    package static let idleMinutes = 30
    /// Google's list of the addresses that it uses.
    package static let addressList = "https://www.gstatic.com/ipranges/goog.json"
    /// In days: how often that list is to be fetched anew.
    package static let addressListAge: Int64 = 31
}

/// Whether a host was reached, port by port.
package struct HostReach: Hashable, Sendable {
    package struct Port: Hashable, Sendable {
        package let number: Int
        package let result: Result

        package init(_ number: Int, _ result: Result) {
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
    /// In the order in which they were asked for.
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

    /// Nothing hangs on a trial's host, nor on that of logins; the others must answer where they are
    /// known to.
    package var verdict: CheckupFinding.Verdict {
        let known = ports.filter { host.ports.contains($0.number) }
        let reached = known.count { $0.result.isReached }
        if reached == known.count { return .ok }
        if host.role == .login { return .skipped }
        return reached > 0 || host.role == .trial ? .warning : .problem
    }
}

extension CheckupFinding {
    /// What the hosts that devices need say together, or those that senders need.
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
        guard verdict != .ok else { return .ok(check, seen) }
        let names = lacking.map(\.host.name).joined(separator: ", ")
        return CheckupFinding(
            check,
            verdict,
            seen + "; problems with \(names)",
            wayOut: check == .devices
                ? "allow outgoing TCP to ports 5228 to 5230 and 443, preferably to any address"
                : "allow outgoing HTTPS (443) to these hosts"
        )
    }
}
