import JSON
package import Preflight

/// Renders the findings of `herald doctor` as JSON.
package struct CheckupJSONView: Sendable {
    /// Additions raise the minor version, other changes the major version.
    package static let formatVersion = "1.1"

    package init() {}

    /// `environment`: nil if only the network was checked.
    ///
    /// `network`: the hosts for devices and for senders, if they were checked.
    package func render(
        _ findings: [CheckupFinding],
        of environment: String?,
        network: (devices: [HostReach], senders: [HostReach])? = nil
    ) -> String {
        var object: JSONObject = [
            "format_version": .string(Self.formatVersion),
            "environment": environment.map(JSONValue.string) ?? .null,
            "problems": count(of: .problem, in: findings),
            "warnings": count(of: .warning, in: findings),
            "checks": .array(findings.map(json)),
        ]
        if let network {
            object["network"] = [
                "device_ports": .array(FCMNetwork.devicePorts.map { .integer(Int64($0)) }),
                "idle_minutes": .integer(Int64(FCMNetwork.idleMinutes)),
                "address_list": .string(FCMNetwork.addressList),
                "device_hosts": .array(network.devices.map(json)),
                "sender_hosts": .array(network.senders.map(json)),
            ]
        }
        return JSONValue.object(object).prettyText + "\n"
    }

    private func count(
        of verdict: CheckupFinding.Verdict,
        in findings: [CheckupFinding]
    ) -> JSONValue {
        .integer(Int64(findings.count { $0.verdict == verdict }))
    }

    private func json(_ finding: CheckupFinding) -> JSONValue {
        [
            "check": .string(finding.check.rawValue),
            "verdict": .string(finding.verdict.rawValue),
            "seen": .string(finding.seen),
            "way_out": finding.wayOut.map(JSONValue.string) ?? .null,
        ]
    }

    private func json(_ reach: HostReach) -> JSONValue {
        [
            "host": .string(reach.host.name),
            "verdict": .string(reach.verdict.rawValue),
            "ports": .array(reach.ports.map(json)),
        ]
    }

    private func json(_ port: HostReach.Port) -> JSONValue {
        var object: JSONObject = ["port": .integer(Int64(port.number))]
        switch port.result {
        case .reached(let address, let milliseconds):
            object["address"] = .string(address)
            object["milliseconds"] = .integer(Int64(milliseconds))
        case .failed(let reason): object["error"] = .string(reason)
        }
        return .object(object)
    }
}
