package import CampaignModel

/// The questions of commands that ask for confirmation.
package enum ConfirmationWording {
    package static let yes = "Enter `yes` to continue: "

    package static func apply(to environment: EnvironmentID) -> String {
        "Apply this to \(environment)? \(yes)"
    }

    package static func applyToProtected(_ environment: EnvironmentID) -> String {
        "\(environment) is protected. Type its name to apply this: "
    }

    package static func sendInProtected(_ environment: EnvironmentID) -> String {
        "\(environment) is protected. Type its name to send this: "
    }
}
