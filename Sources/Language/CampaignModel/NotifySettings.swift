/// Where a service reports what happens to its sends.
package struct NotifySettings: Hashable, Sendable {
    /// The variable that contains the URL of the webhook.
    package let webhook: VariableReference
    /// The variable that contains the key of signatures; nil if notifications are not signed.
    package let secret: VariableReference?

    package init(webhook: VariableReference, secret: VariableReference?) {
        self.webhook = webhook
        self.secret = secret
    }
}

/// The name of an environment variable, never its value.
package struct VariableReference: Hashable, Sendable {
    package let name: String

    package init(name: String) {
        self.name = name
    }
}
