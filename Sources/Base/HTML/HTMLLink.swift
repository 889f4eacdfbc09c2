import Text

/// An address that a reader may open: a file next to the page, or a page on the web.
package struct HTMLLink: Hashable, Sendable {
    let address: String

    /// A file, by its path relative to the page's folder.
    package init(file path: String) {
        // The prefix keeps a name such as `javascript:x` from being a scheme.
        address = "./" + path.percentEncoded(keeping: "/")
    }

    /// A page on the web; nil if the address is not one of HTTP.
    package init?(page address: String) {
        let isWeb = address.hasPrefix("https://") || address.hasPrefix("http://")
        guard isWeb, address.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else { return nil }
        self.address = address
    }
}
