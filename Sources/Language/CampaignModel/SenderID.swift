/// The number of a Firebase project, which addresses its app server.
package struct SenderID: Hashable, Sendable, CustomStringConvertible {
    package let text: String

    /// - Parameter text: 1 to 20 decimal digits.
    package init?(_ text: some StringProtocol) {
        guard (1...20).contains(text.utf8.count),
            text.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) })
        else { return nil }
        self.text = String(text)
    }

    /// Reads `ID`, `ID@gcm.googleapis.com` or `ID@fcm.googleapis.com`: documents of different years
    /// use different hosts.
    package init?(address: some StringProtocol) {
        let parts = address.split(separator: "@", maxSplits: 1, omittingEmptySubsequences: false)
        if parts.count == 2, !Self.hosts.contains(where: { parts[1] == $0 }) { return nil }
        self.init(parts[0])
    }

    private static let hosts = ["gcm.googleapis.com", "fcm.googleapis.com"]

    package var description: String { text }
}
