/// Finds the proxy in the usual environment variables, in the same way as libcurl.
package enum ProxyCheck {
    /// `url`: the address of the requests.
    package static func finding(for url: String, variables: [String: String]) -> CheckupFinding {
        let isSecure = url.hasPrefix("https:")
        let host = Self.host(of: url)
        // libcurl ignores HTTP_PROXY, because a client of a CGI server can set it with a header.
        let names =
            isSecure
            ? ["https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY"]
            : ["http_proxy", "all_proxy", "ALL_PROXY"]
        guard !loopback.contains(host) else {
            return .ok(.proxy, seen: "none is used for this machine")
        }
        guard let name = names.first(where: { !(variables[$0] ?? "").isEmpty }),
            let proxy = variables[name]
        else { return .ok(.proxy, seen: "none: no \(names.joined(separator: ", ")) is set") }
        let direct = variables["no_proxy"] ?? variables["NO_PROXY"] ?? ""
        if isDirect(host, in: direct) {
            return .ok(.proxy, seen: "none: no_proxy names \(host)")
        }
        return .ok(.proxy, seen: "\(Self.withoutUser(proxy)), from \(name)")
    }

    /// Whether requests to this address use a proxy.
    package static func isUsed(for url: String, variables: [String: String]) -> Bool {
        !finding(for: url, variables: variables).seen.hasPrefix("none")
    }

    private static let loopback: Set<String> = ["127.0.0.1", "localhost", "[::1]"]

    private static func host(of url: String) -> String {
        let rest = url.drop { $0 != "/" }.drop { $0 == "/" }.prefix { $0 != "/" }
        if rest.hasPrefix("[") { return String(rest.prefix { $0 != "]" }) + "]" }
        return String(rest.prefix { $0 != ":" }).lowercased()
    }

    private static func isDirect(_ host: String, in list: String) -> Bool {
        list.split { $0 == "," || $0 == " " }.contains { entry in
            let name = entry.drop { $0 == "." }.lowercased()
            return name == "*" || host == name || host.hasSuffix("." + name)
        }
    }

    /// Removes the user from a proxy's address, which may contain a password.
    private static func withoutUser(_ proxy: String) -> String {
        guard let at = proxy.lastIndex(of: "@") else { return proxy }
        let rest = proxy[proxy.index(after: at)...]
        let scheme = proxy.firstRange(of: "://").map { proxy[..<$0.upperBound] } ?? ""
        return scheme + rest + " with a user name"
    }
}
