import CurlTransport
import HTTPTransport
import Preflight
import Presentation
import Time

extension DoctorCommand {
    /// Checks each host on each port, then the network options.
    func checkNetwork(
        _ session: Session,
        show: ([CheckupFinding]) -> Void
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
            show([finding])
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
        return .sendersBehindProxy(proxy)
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
        let wording = IdleConnectionWording(to: host, port: target.port, length: length.text)
        if format == .text { Output.message(wording.announcement) }
        switch probe.hold(target, for: length.duration) {
        case .stayed:
            let isEnough = length.seconds > Int64(FCMNetwork.idleMinutes) * 60
            return wording.stillOpen(isEnough: isEnough)
        case .silent: return wording.silent
        case .ended(let after): return wording.closed(after: after)
        case .unreached(_, let detail): return wording.unreached(because: detail)
        }
    }
}

extension HostProbe.Result {
    fileprivate var reach: HostReach.Result {
        switch self {
        case .connected(let address, let after):
            .reached(address: address, milliseconds: Int(after / .milliseconds(1)))
        case .failed(.unresolvedHost, _): .noAddress
        case .failed(.timedOut, _): .noAnswer
        case .failed(.refusedConnection, _): .refused
        case .failed(_, let detail): .failed(reason: detail)
        }
    }
}
