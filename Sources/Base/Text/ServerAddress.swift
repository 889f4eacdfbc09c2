/// The scheme, host and port of an `http` or `https` URL.
package struct ServerAddress: Hashable, Sendable {
    package let isSecure: Bool
    /// In lowercase; an IPv6 address has no brackets.
    package let host: String
    /// nil means the scheme's default port.
    package let port: Int?
    /// The text after host and port, up to the end of the URL.
    package let rest: String

    /// nil for another scheme, for a name or password in the URL, and for an invalid host or port.
    package init?(of url: String) {
        guard let scheme = ["https://", "http://"].first(where: url.hasPrefix) else { return nil }
        let location = url.dropFirst(scheme.count)
        let authority = location.prefix { !"/?#".contains($0) }
        guard let (host, port) = Self.parts(authority) else { return nil }
        isSecure = scheme == "https://"
        self.host = host
        self.port = port
        rest = String(location.dropFirst(authority.count))
    }

    /// Scheme, host and port, without a trailing slash.
    package var base: String {
        let name = host.contains(":") ? "[\(host)]" : host
        return (isSecure ? "https://" : "http://") + name + (port.map { ":\($0)" } ?? "")
    }

    /// Whether the address is this machine.
    package var isLoopback: Bool { ["127.0.0.1", "localhost", "::1"].contains(host) }

    /// Whether only Google can assign the name.
    package var isGoogles: Bool { host.hasSuffix(".googleapis.com") || host == "googleapis.com" }

    /// Whether a secret may be sent there, because the connection is private.
    package var isPrivate: Bool { isSecure || isLoopback }

    private static func parts(_ authority: Substring) -> (host: String, port: Int?)? {
        let isNumeric = authority.hasPrefix("[")
        guard let end = isNumeric ? authority.firstIndex(of: "]") : authority.endIndex else {
            return nil
        }
        let name =
            isNumeric
            ? authority[..<end].dropFirst() : authority.prefix { $0 != ":" }
        let after = isNumeric ? authority[end...].dropFirst() : authority.dropFirst(name.count)
        guard isNumeric ? isIPv6(name) : isName(name) else { return nil }
        guard !after.isEmpty else { return (name.lowercased(), nil) }
        let digits = after.dropFirst()
        guard after.first == ":", digits.utf8.count <= 5, digits.first != "0",
            digits.utf8.allSatisfy(isDigit), let port = Int(digits), port <= 65_535
        else { return nil }
        return (name.lowercased(), port)
    }

    private static func isName(_ name: Substring) -> Bool {
        guard let first = name.utf8.first, let last = name.utf8.last else { return false }
        return isAlphanumeric(first) && isAlphanumeric(last)
            && name.utf8.allSatisfy { isAlphanumeric($0) || $0 == 0x2D || $0 == 0x2E }
    }

    private static func isIPv6(_ name: Substring) -> Bool {
        name.contains(":")
            && name.utf8.allSatisfy {
                isDigit($0) || $0 == 0x3A || (0x61...0x66).contains($0 | 0x20)
            }
    }

    private static func isAlphanumeric(_ byte: UInt8) -> Bool {
        isDigit(byte) || (0x61...0x7A).contains(byte | 0x20)
    }

    private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }
}

extension ServerAddress {
    /// Accepts messages (Firebase reference, REST resource projects.messages).
    package static let messaging = "https://fcm.googleapis.com"
    /// The server of aggregated delivery data.
    package static let deliveryData = "https://fcmdata.googleapis.com"
    /// The Instance ID API (Google developers documentation, Instance ID server reference).
    package static let instanceID = "https://iid.googleapis.com"
}
