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

    /// libstrophe's parsers share the context of the first one, without a lock: it must exist for as long as
    /// the process, and before other threads (`parser_expat.c` of libstrophe 0.12).
    private static let library: Void = {
        xmpp_initialize()
        if let context = unsafe xmpp_ctx_new(nil, nil) { _ = unsafe xmpp_conn_new(context) }
    }()

    package func open(
        _ endpoint: UpstreamEndpoint,
        receive: @escaping @Sendable ([LinkEvent]) -> Void
    ) -> any UpstreamLink {
        let link = StropheLink(to: endpoint, receive: receive)
        link.start()
        return link
    }
}
