/// What an acknowledgement names: the device and its message.
package struct Acknowledgement: Hashable, Sendable {
    package let registration: String
    package let messageID: String
    /// The XMPP address that sent the stanza; nil if it names none, as FCM's stanzas.
    package let peer: String?

    package init(registration: String, messageID: String, peer: String? = nil) {
        self.registration = registration
        self.messageID = messageID
        self.peer = peer
    }
}

/// A message that arrived on a connection and is not stored yet.
package struct UpstreamDelivery<Message: Sendable>: Sendable {
    package let connection: ConnectionID
    package let message: Message
    package let acknowledgement: Acknowledgement

    package init(
        on connection: ConnectionID,
        message: Message,
        acknowledgement: Acknowledgement
    ) {
        self.connection = connection
        self.message = message
        self.acknowledgement = acknowledgement
    }
}

/// Messages that one commit stores.
package struct UpstreamBatch<Message: Sendable>: Sendable {
    package let number: Int
    package let deliveries: [UpstreamDelivery<Message>]
}
