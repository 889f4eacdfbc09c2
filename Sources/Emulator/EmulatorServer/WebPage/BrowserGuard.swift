/// What keeps the pages of others from using the emulator through the browser of its user.
extension EmulatorRequest {
    /// Whether a page of another address is behind the request, as far as can be told.
    ///
    /// A browser says with every request that may change something whose page makes it (Fetch
    /// Standard, section 3.2): it has to be the emulator's own. The answers to all others can only
    /// be read by a page whose own name leads here ("DNS rebinding"): then that name is in Host,
    /// and it is one that anybody can register.
    func isForeign(to route: RouteMatch) -> Bool {
        if let origin, !isOwn(origin) { return true }
        switch route {
        case .served(let route) where route.isControl: return hasForeignHost
        default: return false
        }
    }

    private func isOwn(_ origin: String) -> Bool {
        guard let host, !hasForeignHost else { return false }
        return origin == "http://" + host || origin == "https://" + host
    }

    private var hasForeignHost: Bool {
        guard let name = host.map(HostName.init) else { return false }
        return !name.isNobodysToRegister
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

    /// Addresses, single words, names that are kept out of the public DNS (RFC 6761; `internal`:
    /// ICANN, resolution 2024.07.29.06), and Google's, which a hosts file leads here.
    var isNobodysToRegister: Bool {
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
        message: "The emulator is not used through the pages of other sites. Ask it by its own "
            + "address, or without the header Origin."
    )
}
