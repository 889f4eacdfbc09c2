package import JSON
package import Time

/// A plan that was shown or applied, stored so that a later plan can be compared with it.
///
/// It contains no registration.
package struct ArchivedPlan: Hashable, Sendable {
    /// The digest of the content, without a serial.
    package let digest: String
    /// The serial of the state that the plan was made from.
    package let serial: StateSerial
    package let made: Instant
    package let user: String
    package let host: String
    package let content: JSONValue

    package init(
        digest: String,
        serial: StateSerial,
        made: Instant,
        user: String,
        host: String,
        content: JSONValue
    ) {
        self.digest = digest
        self.serial = serial
        self.made = made
        self.user = user
        self.host = host
        self.content = content
    }

    /// The maximum number of stored plans, in addition to those of incomplete runs.
    package static let limit = 50
    /// The maximum number of bytes of their contents; the newest is stored regardless of its size.
    package static let sizeLimit = 32 << 20
}
