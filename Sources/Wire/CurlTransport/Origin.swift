/// The scheme, host and port of a URL; each connection belongs to one origin.
struct Origin: Hashable {
    private let text: String

    /// Nil unless the URL is absolute and begins with http:// or https:// and a host.
    init?(of url: String) {
        guard !url.utf8.contains(0), let colon = url.utf8.firstIndex(of: UInt8(ascii: ":")) else {
            return nil
        }
        let scheme = url[..<colon].lowercased()
        guard scheme == "http" || scheme == "https", url[colon...].hasPrefix("://") else {
            return nil
        }
        let host = url.index(colon, offsetBy: 3)
        let end = url[host...].utf8.firstIndex(where: Self.endsAuthority) ?? url.endIndex
        guard host < end else { return nil }
        text = url[..<end].lowercased()
    }

    /// Whether connections use TLS.
    var isSecure: Bool { text.hasPrefix("https:") }

    /// The URL of the origin's root.
    var url: String { text + "/" }

    /// Host and port as in a request, without user name and password.
    var authority: String {
        let authority = text.drop { $0 != "/" }.dropFirst(2)
        return String(
            authority.lastIndex(of: "@").map { authority[$0...].dropFirst() } ?? authority
        )
    }

    /// Returns path and query of a URL of this origin.
    func path(in url: String) -> String {
        let rest = url.utf8.dropFirst(text.utf8.count).prefix { $0 != UInt8(ascii: "#") }
        let path = String(Substring(rest))
        return path.hasPrefix("/") ? path : "/" + path
    }

    private static func endsAuthority(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: "/") || byte == UInt8(ascii: "?") || byte == UInt8(ascii: "#")
    }
}

/// Caches the last origin, because most requests go to the same one.
struct OriginMemory {
    private var url = ""
    private var origin: Origin?

    mutating func origin(of url: String) -> Origin? {
        if url != self.url {
            self.url = url
            origin = Origin(of: url)
        }
        return origin
    }
}
