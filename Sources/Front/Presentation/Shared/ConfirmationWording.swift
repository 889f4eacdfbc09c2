package import Planning

/// The questions of commands that ask for confirmation.
///
/// Each begins with the destination.
package enum ConfirmationWording {
    package static func apply(to destination: PlanDestination) -> String {
        question("Apply this to \(destination.environment)? \(yes)", in: destination)
    }

    package static func applyToProtected(_ destination: PlanDestination) -> String {
        question(
            "\(destination.environment) is protected. Type its name to apply this: ",
            in: destination
        )
    }

    package static func sendInProtected(_ destination: PlanDestination) -> String {
        question(
            "\(destination.environment) is protected. Type its name to send this: ",
            in: destination
        )
    }

    package static let yes = "Enter `yes` to continue: "

    /// Returns a question after its destination.
    ///
    /// `destination`: nil if `herald.yaml` is invalid.
    package static func question(_ text: String, in destination: PlanDestination?) -> String {
        guard let destination else { return text }
        return TextStyle.safe(DestinationWording(destination).line) + "\n" + text
    }
}
