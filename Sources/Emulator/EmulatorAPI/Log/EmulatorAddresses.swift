/// The addresses of a running emulator.
package struct EmulatorAddresses: Hashable, Sendable {
    /// HTTP/1.1, and HTTP/2 with prior knowledge, without TLS.
    package let url: String
    /// HTTP/1.1 and HTTP/2 with TLS, or nil if not configured.
    package let tlsURL: String?
    /// The proxy for programs with fixed addresses, or nil if not configured.
    package let proxyURL: String?
    /// The certificate that clients must trust for TLS and for the proxy.
    package let certificateAuthority: String?
    /// The token of the control API and the page, or nil if they need none.
    package var token: String?
    /// The host and port for XMPP, or nil if not configured.
    package var xmpp: String?

    package init(
        url: String,
        tlsURL: String?,
        proxyURL: String?,
        certificateAuthority: String?
    ) {
        self.url = url
        self.tlsURL = tlsURL
        self.proxyURL = proxyURL
        self.certificateAuthority = certificateAuthority
    }
}
