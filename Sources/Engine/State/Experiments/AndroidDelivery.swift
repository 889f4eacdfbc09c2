/// Google's aggregated delivery data of one app, day and analytics label.
package struct AndroidDelivery: Hashable, Sendable {
    /// Google's app ID.
    package let app: String
    package let label: String
    /// A date such as `2037-03-20`.
    package let day: String
    /// Number of messages that FCM accepted for Android devices.
    package let accepted: Int
    /// The share of them that was delivered; nil if Google does not tell.
    package let delivered: Double?

    package init(app: String, label: String, day: String, accepted: Int, delivered: Double?) {
        self.app = app
        self.label = label
        self.day = day
        self.accepted = accepted
        self.delivered = delivered
    }
}
