/// The scheme, host and port of a URL, which is what a connection belongs to.
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

    /// Whether its connections are made with TLS.
    var isSecure: Bool { text.hasPrefix("https:") }

    /// The origin's root.
    var url: String { text + "/" }

    /// Host and port as a request names them, without a user's name and password.
    var authority: String {
        let authority = text.drop { $0 != "/" }.dropFirst(2)
        return String(
            authority.lastIndex(of: "@").map { authority[$0...].dropFirst() } ?? authority
        )
    }

    /// Path and query of a URL of this origin.
    func path(in url: String) -> String {
        let rest = url.utf8.dropFirst(text.utf8.count).prefix { $0 != UInt8(ascii: "#") }
        let path = String(Substring(rest))
        return path.hasPrefix("/") ? path : "/" + path
    }

    private static func endsAuthority(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: "/") || byte == UInt8(ascii: "?") || byte == UInt8(ascii: "#")
    }
}

/// The origin that was asked for last: most requests go where the one before went.
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
