/// Renders the result of an import of Google's delivery data.
package struct DeliveryDataTextView: Sendable {
    package init() {}

    package func render(days: Int, labels: Int) -> String {
        guard days > 0 else {
            return
                "Google has no delivery data about messages with an `analytics_label` yet. It is a day "
                + "late, and small groups are left out.\n"
        }
        return "Delivery data of \(days.counting("day")) and \(labels.counting("label")) stored. "
            + "It counts Android devices only.\n"
    }
}

extension ErrorText {
    package static func deliveryDataUnanswered(because reason: String) -> ErrorText {
        ErrorText(
            "the delivery data cannot be read: \(reason)",
            help: "check the connection to fcmdata.googleapis.com, and repeat the command"
        )
    }

    package static func deliveryDataRefused(because reason: String) -> ErrorText {
        ErrorText(
            "Google refused the delivery data: \(TextStyle.safe(reason))",
            help:
                "enable the Firebase Cloud Messaging Data API for the project, and check --app and the "
                + "rights of the credential"
        )
    }
}
