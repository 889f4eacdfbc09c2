/// Where and as which sender an app server connects.
package struct UpstreamEndpoint: Sendable {
    package let host: String
    package let port: Int
    /// The XMPP domain, which the server's certificate has to name.
    package let domain: String
    /// The sender ID.
    package let user: String
    package let serverKey: ServerKey
    /// A file with certificates of authorities, in addition to the system's; nil for none.
    package let authorities: String?
    /// The XMPP address that learns of each connection by a directed presence; nil for none.
    ///
    /// FCM needs none. A component of an XMPP server does not see connections otherwise.
    package let announced: String?

    package init(
        server: Server,
        user: String,
        serverKey: ServerKey,
        announced: String? = nil
    ) {
        host = server.host
        port = server.port
        domain = server.domain
        authorities = server.authorities
        self.user = user
        self.serverKey = serverKey
        self.announced = announced
    }

    package struct Server: Hashable, Sendable {
        package let host: String
        package let port: Int
        package let domain: String
        package let authorities: String?

        package init(host: String, port: Int, domain: String, authorities: String? = nil) {
            self.host = host
            self.port = port
            self.domain = domain
            self.authorities = authorities
        }
    }
}

/// The password of a sender.
package struct ServerKey: Sendable, CustomStringConvertible, CustomDebugStringConvertible {
    package let text: String

    package init(_ text: String) {
        self.text = text
    }

    package var description: String { "<redacted>" }
    package var debugDescription: String { "<redacted>" }
}

/// What happens on a link.
package enum LinkEvent: Hashable, Sendable {
    case connected
    /// A stanza with a `gcm` element: its JSON, and the address that sent it.
    case payload([UInt8], peer: String?)
    /// A stanza of type `error`: the server could not use what this side sent.
    case stanzaError(code: String, text: String)
    /// A message stanza without a `gcm` element.
    case foreignStanza
    /// The last event.
    case ended(ConnectionEnd)
}

/// An XMPP connection; its methods return at once and may be called on any thread.
package protocol UpstreamLink: Sendable {
    /// Sends stanzas in order.
    func send(_ bytes: [UInt8])
    /// Sends what is queued, and ends the stream.
    func close()
    /// Ends the connection at once.
    func abort()
}

/// Opens links.
package protocol UpstreamConnector: Sendable {
    /// Starts to connect.
    ///
    /// `receive` is called with the events in order; `ended` is the last one. Events may overtake each other
    /// only around an abort.
    func open(
        _ endpoint: UpstreamEndpoint,
        receive: @escaping @Sendable ([LinkEvent]) -> Void
    ) -> any UpstreamLink
}
