import JSON
import SystemIO
package import Time

/// Google's published list of its addresses (`goog.json`), the basis of firewall rules.
package struct GoogleAddresses: Sendable {
    private struct Prefix: Sendable {
        let bytes: [UInt8]
        let length: Int

        init?(_ text: String) {
            let parts = text.split(separator: "/")
            guard parts.count == 2, let bytes = InternetAddress.bytes(String(parts[0])),
                let length = Int(parts[1]), (0...bytes.count * 8).contains(length)
            else { return nil }
            self.bytes = bytes
            self.length = length
        }

        func contains(_ address: [UInt8]) -> Bool {
            guard address.count == bytes.count else { return false }
            let whole = length / 8
            guard address[..<whole] == bytes[..<whole] else { return false }
            let rest = length % 8
            guard rest > 0 else { return true }
            return (address[whole] ^ bytes[whole]) >> (8 - rest) == 0
        }
    }

    private let prefixes: [Prefix]
    /// When Google created the list.
    package let made: Instant

    package var count: Int { prefixes.count }

    /// Nil if the JSON is not this kind of list.
    package init?(json: [UInt8]) {
        guard let list = JSONValue(parsing: json), let entries = list["prefixes"]?.arrayValue,
            let time = list["creationTime"]?.stringValue,
            // It has no time zone, which is irrelevant to an age in days.
            let made = Instant(rfc3339: time.prefix(19) + "Z")
        else { return nil }
        let texts = entries.map {
            ($0["ipv4Prefix"] ?? $0["ipv6Prefix"])?.stringValue ?? ""
        }
        let prefixes = texts.compactMap(Prefix.init)
        guard prefixes.count == texts.count, !prefixes.isEmpty else { return nil }
        self.prefixes = prefixes
        self.made = made
    }

    /// Also false if the text is not an address.
    package func contains(_ address: String) -> Bool {
        guard let bytes = InternetAddress.bytes(address) else { return false }
        return prefixes.contains { $0.contains(bytes) }
    }

    /// Compares the list with the addresses at which hosts were reached.
    package func finding(of addresses: [String], at now: Instant) -> CheckupFinding {
        let age = now.seconds(since: made) / 86_400
        let outside = addresses.filter { !contains($0) }
        let size = "\(count) blocks, \(age) days old"
        let wayOut =
            "fetch \(FCMNetwork.addressList) every month and update the firewall's rules, or allow "
            + "outgoing TCP to ports 5228 to 5230 and 443 at any address"
        guard outside.isEmpty else {
            return CheckupFinding(
                .addresses,
                verdict: .problem,
                seen: "\(size); they do not contain \(outside.joined(separator: ", "))",
                wayOut: wayOut
            )
        }
        guard age <= FCMNetwork.addressListAge else {
            return CheckupFinding(.addresses, verdict: .warning, seen: size, wayOut: wayOut)
        }
        return .ok(.addresses, seen: size + "; they contain every address that was reached")
    }
}
