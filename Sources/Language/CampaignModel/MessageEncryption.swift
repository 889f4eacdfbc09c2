/// How a campaign's content is encrypted for each recipient.
///
/// The message's `data` and `notification` are encrypted. The other fields of the message only
/// control the delivery, and stay readable.
package struct MessageEncryption: Hashable, Sendable {
    /// The notification that a device shows until the app has decrypted the message.
    package struct Placeholder: Hashable, Sendable {
        package let title: String
        package let body: String?

        package init(title: String, body: String? = nil) {
            self.title = title
            self.body = body
        }
    }

    /// The name of the project, which is part of the associated data.
    package let project: String
    /// Nil if the message shows no notification.
    package let placeholder: Placeholder?

    package init(project: String, placeholder: Placeholder? = nil) {
        self.project = project
        self.placeholder = placeholder
    }

    /// The fields of a message that are encrypted.
    package static let encryptedFields = ["notification", "data"]
}
