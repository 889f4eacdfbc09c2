import CurlTransport
import HTTPTransport
import Preflight
import Presentation
import Time

extension DoctorCommand {
    /// Checks each host on each port, then the network options.
    func checkNetwork(
        _ session: Session,
        show: (CheckupFinding) -> Void
    ) throws(CommandFailure) -> [CheckupFinding] {
        let list = try googJson.map { path throws(CommandFailure) in try addressList(path) }
        let view = NetworkTextView(style: options.outputStyle)
        if format == .text { Output.data(view.renderSheet()) }
        let (devices, senders) = reachHosts()
        if format == .text {
            Output.data(view.render(devices: devices, senders: senders) + "\n")
        }
        var findings: [CheckupFinding] = []
        func add(_ finding: CheckupFinding) {
            findings.append(finding)
            show(finding)
        }
        add(.finding(.devices, of: devices))
        add(sendersFinding(for: senders, variables: session.context.variables))
        if let list {
            let now = session.clock.now()
            add(list.finding(of: addresses(devices + senders), at: now))
        }
        if let hold { add(held(for: hold)) }
        if format == .json {
            Output.data(
                CheckupJSONView().render(
                    findings,
                    of: nil,
                    network: (devices, senders)
                )
            )
        }
        return findings
    }

    /// Reports on Google's hosts.
    ///
    /// Behind a proxy, they need not be directly reachable.
    private func sendersFinding(
        for senders: [HostReach],
        variables: [String: String]
    ) -> CheckupFinding {
        let url = "https://" + FCMNetwork.senderHosts[0].name
        guard ProxyCheck.isUsed(for: url, variables: variables) else {
            return .finding(.senders, of: senders)
        }
        let proxy = ProxyCheck.finding(for: url, variables: variables).seen
        return .skipped(.senders, because: "requests go through a proxy: \(proxy)")
    }

    private var probe: HostProbe {
        HostProbe(timeLimit: .seconds(connectTimeout), connectTo: connectTo)
    }

    /// Connects to all hosts at once, so that the total time is that of the slowest host.
    private func reachHosts() -> (devices: [HostReach], senders: [HostReach]) {
        let asked =
            FCMNetwork.deviceHosts.map { ($0, FCMNetwork.devicePorts) }
            + FCMNetwork.senderHosts.map { ($0, $0.ports) }
        let targets = asked.flatMap { host, ports in
            ports.map { HostProbe.Target(host: host.name, port: $0) }
        }
        var results = probe.connect(targets)[...]
        let reached = asked.map { host, ports in
            let own = zip(ports, results).map { HostReach.Port($0, result: $1.reach) }
            results = results.dropFirst(ports.count)
            return HostReach(host: host, ports: own)
        }
        let count = FCMNetwork.deviceHosts.count
        return (Array(reached[..<count]), Array(reached[count...]))
    }

    private func addresses(_ hosts: [HostReach]) -> [String] {
        Set(hosts.flatMap(\.addresses)).sorted()
    }

    private func addressList(_ path: String) throws(CommandFailure) -> GoogleAddresses {
        guard let list = GoogleAddresses(json: try KeyFile(path).contents()) else {
            throw CommandFailure(.noAddressList(at: path))
        }
        return list
    }

    private func held(for length: TimeSpan) -> CheckupFinding {
        let host = FCMNetwork.deviceHosts[0].name
        let target = HostProbe.Target(host: host, port: FCMNetwork.devicePorts[0])
        let name = "\(host):\(target.port)"
        if format == .text {
            Output.message("Holding an idle connection to \(name) for \(length.text) …\n")
        }
        let wayOut =
            "let NAT and stateful inspection keep idle connections for \(FCMNetwork.idleMinutes) "
            + "minutes or more"
        switch probe.hold(target, for: length.duration) {
        case .stayed where length.seconds > Int64(FCMNetwork.idleMinutes) * 60:
            return .ok(
                .idle,
                seen: "a connection to \(name) was still open after \(length.text) idle"
            )
        case .stayed:
            return .ok(
                .idle,
                seen:
                    "a connection to \(name) was still open after \(length.text) idle; the requirement "
                    + "is about \(FCMNetwork.idleMinutes) minutes: `--hold 31m` checks it"
            )
        case .silent:
            return CheckupFinding(
                .idle,
                verdict: .problem,
                seen: "after \(length.text) idle, a connection to \(name) no longer answered",
                wayOut: wayOut
            )
        case .ended(let after):
            return CheckupFinding(
                .idle,
                verdict: .warning,
                seen:
                    "a connection to \(name) was closed after \(after.components.seconds) s idle, by "
                    + "the server or by a device in between",
                wayOut: "to find out which, test a connection to your own server outside: "
                    + "`--connect-to \(host)::ADDRESS:PORT`"
            )
        case .unreached(_, let detail):
            return CheckupFinding(
                .idle,
                verdict: .problem,
                seen: "\(name): \(detail)",
                wayOut: wayOut
            )
        }
    }
}

extension HostProbe.Result {
    fileprivate var reach: HostReach.Result {
        switch self {
        case .connected(let address, let after):
            .reached(address: address, milliseconds: Int(after / .milliseconds(1)))
        case .failed(.unresolvedHost, _): .failed(reason: "no address")
        case .failed(.timedOut, _): .failed(reason: "no answer in time")
        case .failed(.refusedConnection, _): .failed(reason: "refused")
        case .failed(_, let detail): .failed(reason: detail)
        }
    }
}
