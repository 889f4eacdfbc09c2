internal import CLibStrophe
package import Upstream

/// Opens XMPP connections with libstrophe, each on its own thread.
///
/// libstrophe waits for the network while it resolves a name and during a TLS handshake. On its own
/// thread, a connection does not delay the others.
package struct StropheConnector: UpstreamConnector {
    /// libstrophe waits with select(2), which accepts descriptors below 1,024.
    package static let mostConnections = 900

    package init() {
        _ = Self.library
    }

    private static let library: Void = xmpp_initialize()

    package func open(
        _ endpoint: UpstreamEndpoint,
        receive: @escaping @Sendable ([LinkEvent]) -> Void
    ) -> any UpstreamLink {
        let link = StropheLink(to: endpoint, receive: receive)
        link.start()
        return link
    }
}
