/// Prevents pages of other sites from using the emulator through the user's browser.
extension EmulatorRequest {
    /// Returns whether a page of another origin makes the request, as far as this is detectable.
    ///
    /// In requests that may change something, browsers name the origin of the page (Fetch Standard,
    /// section 3.2), which must be the emulator's. The answers to other requests are only readable
    /// by a page whose own host name resolves to the emulator ("DNS rebinding"). In that case, Host
    /// contains that name, which is a publicly registrable one.
    var isForeign: Bool {
        if let origin, !isOwn(origin) { return true }
        return hasForeignHost
    }

    private func isOwn(_ origin: String) -> Bool {
        guard let host, !hasForeignHost else { return false }
        return origin == "http://" + host || origin == "https://" + host
    }

    private var hasForeignHost: Bool {
        guard let name = host.map(HostName.init) else { return false }
        return !name.cannotBeRegistered
    }
}

/// The value of a Host field without its port.
private struct HostName {
    private let text: String

    init(_ host: String) {
        if host.hasPrefix("[") {
            text = String(host.prefix { $0 != "]" }) + "]"
        } else {
            text = String(host.prefix { $0 != ":" }).lowercased()
        }
    }

    /// Whether the name cannot be registered publicly.
    ///
    /// This includes addresses, single labels, names outside the public DNS (RFC 6761; `internal`:
    /// ICANN, resolution 2024.07.29.06), and Google's host names, which a hosts file may redirect
    /// to the emulator.
    var cannotBeRegistered: Bool {
        let labels = text.split(separator: ".")
        return text.hasPrefix("[") || labels.count < 2
            || labels.count == 4 && labels.allSatisfy { UInt8($0) != nil }
            || ["localhost", "internal", "test"].contains(labels.last.map(String.init) ?? "")
            || GoogleHosts.names.contains(text)
    }
}

extension GoogleError {
    static let foreignPage = GoogleError(
        code: 403,
        status: "PERMISSION_DENIED",
        message: "Pages of other sites cannot use the emulator. Use a page at the emulator's own "
            + "address, or omit the header Origin."
    )
}
