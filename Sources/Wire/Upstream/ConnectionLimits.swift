/// The limits of the XMPP service that an app server respects.
package struct ConnectionLimits: Hashable, Sendable {
    /// The number of messages on a connection without an acknowledgement.
    package let unacknowledged: Int
    /// The number of connects that start within any 60 seconds.
    package let connectsPerMinute: Int
    /// The number of connections at the same time, including those that drain.
    package let connections: Int

    package init(unacknowledged: Int, connectsPerMinute: Int, connections: Int) {
        self.unacknowledged = unacknowledged
        self.connectsPerMinute = connectsPerMinute
        self.connections = connections
    }

    /// Firebase documentation: XMPP server protocol (flow control), Throttling and scaling.
    package static let documented = ConnectionLimits(
        unacknowledged: 100,
        connectsPerMinute: 400,
        connections: 2_500
    )
}

/// A connection, counted from the start of the process and never used again.
package struct ConnectionID: Hashable, Comparable, Sendable {
    package let number: Int

    package init(number: Int) {
        self.number = number
    }

    package static func < (left: ConnectionID, right: ConnectionID) -> Bool {
        left.number < right.number
    }
}

/// Why a connection ended, or could not be opened.
package enum ConnectionEnd: Hashable, Sendable {
    /// This side closed it.
    case closedHere
    /// The connection was open, and the server or the network ended it.
    case cut(reason: String)
    /// The server cannot be reached.
    case unreachable(reason: String)
    /// The server's certificate is not valid, or the handshake failed.
    case untrusted(reason: String)
    /// The server refused the sender ID or the server key.
    case denied

    /// Whether an operator has to change something, so that a retry soon is of no use.
    var needsOperator: Bool {
        switch self {
        case .untrusted, .denied: true
        case .closedHere, .cut, .unreachable: false
        }
    }
}
