package import Preflight

/// Renders the network requirements for firewall administrators, and the results of the checks.
package struct NetworkTextView: Sendable {
    private let style: TextStyle

    private static let nameWidth = 38
    private static let columnWidth = 9

    package init(style: TextStyle) {
        self.style = style
    }

    /// Renders the hosts and ports that a firewall must allow.
    package func renderSheet() -> String {
        let devices = FCMNetwork.deviceHosts.map(\.name).map { "    \($0)\n" }.joined()
        let senders = FCMNetwork.senderHosts.map(\.name).map { "    \($0)\n" }.joined()
        return """
            \(style.paint("Networks with devices", in: .strong))
              Allow outgoing TCP connections to ports 5228, 5229, 5230 and 443 of
            \(devices)  Do not restrict addresses: they change, and connections then fail at times.
              If you must, allow all of \(FCMNetwork.addressList)
              and update the list every month.
              NAT and stateful inspection must keep idle connections to ports 5228 to 5230 for
              \(FCMNetwork.idleMinutes) minutes or more.
              (Firebase documentation, FCM ports and your firewall)

            \(style.paint("Networks that send", in: .strong))
              Allow outgoing HTTPS connections (TCP 443) to
            \(senders)
            """
    }

    package func render(devices: [HostReach], senders: [HostReach]) -> String {
        style.folded(
            table("Reached from here, in milliseconds", of: devices)
                + table("Reached from here, to send", of: senders)
        )
    }

    private func table(_ title: String, of hosts: [HostReach]) -> String {
        let numbers = hosts.first?.ports.map(\.number) ?? []
        let head =
            style.paint(title.padded(to: Self.nameWidth + 11), in: .strong)
            + numbers.map { cell(String($0), in: .strong) }.joined()
        return "\n\(head)\n" + hosts.map(row).joined()
    }

    private func row(_ reach: HostReach) -> String {
        let verdict = style.paint(reach.verdict.rawValue.padded(to: 9), in: reach.verdict.tone)
        let cells = reach.ports.map { port in
            switch port.result {
            case .reached(_, let milliseconds): cell(String(milliseconds), in: .plain)
            case .failed:
                cell("–", in: reach.host.ports.contains(port.number) ? .bad : .faint)
            }
        }
        let name = reach.host.name.padded(to: Self.nameWidth)
        return "  \(verdict)\(name)\(cells.joined())  \(explanation(reach))\n"
    }

    /// The addresses, or the reason for a failure.
    private func explanation(_ reach: HostReach) -> String {
        let known = reach.ports.first { port in
            reach.host.ports.contains(port.number) && !port.result.isReached
        }
        if case .failed(let reason)? = known?.result {
            return TextStyle.safe("\(known?.number ?? 0): \(reason)")
        }
        return TextStyle.safe(reach.addresses.joined(separator: ", "))
    }

    private func cell(_ text: String, in tone: TextStyle.Tone) -> String {
        let space = String(repeating: " ", count: max(1, Self.columnWidth - text.count))
        return space + style.paint(text, in: tone)
    }
}

extension CheckupFinding.Verdict {
    fileprivate var tone: TextStyle.Tone {
        switch self {
        case .ok: .good
        case .warning: .attention
        case .skipped: .faint
        case .problem: .bad
        }
    }
}
