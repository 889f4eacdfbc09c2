package import JSON
package import Time

/// A plan that somebody looked at or carried out, kept so that a later one can be compared with it.
///
/// No registration stands in it.
package struct KeptPlan: Hashable, Sendable {
    /// Of the content, without a serial.
    package let digest: String
    /// Of the state that the plan was made from.
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

    /// So many are kept beside those of runs that did not come to their end.
    package static let limit = 50
    /// The same in bytes of their contents; the newest is kept whatever its size.
    package static let sizeLimit = 32 << 20
}
