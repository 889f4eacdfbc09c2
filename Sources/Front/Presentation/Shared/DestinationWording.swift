import CampaignModel
package import Planning

/// The destination of a plan or a confirmation as text.
package struct DestinationWording: Hashable, Sendable {
    package let environment: String
    package let projectID: String
    /// The address of the server, or a name of the emulator.
    package let endpoint: String
    /// For example, `not protected`.
    package let protection: String
    /// Nil if messages reach real devices.
    package let remark: String?

    package init(_ destination: PlanDestination) {
        environment = destination.environment.rawValue
        projectID = destination.projectID
        endpoint =
            switch destination.server {
            case .ownEmulator: "built-in emulator"
            case .emulator(let url): "emulator at \(url)"
            case .google, .replacement, .unresolved: destination.server.address
            }
        protection = destination.isProtected ? "protected" : "not protected"
        remark =
            switch destination.server {
            case .ownEmulator, .emulator: "An emulator receives the messages: no real device does."
            case .google, .replacement, .unresolved: nil
            }
    }

    /// One line, which begins every plan and every confirmation.
    package var line: String { "\(place), \(protection)" }

    /// The line without the protection.
    var place: String { "Destination: \(environment), project ID \(projectID), \(endpoint)" }
}

extension PlanDestination.Server {
    /// The address for programs.
    var address: String {
        switch self {
        case .ownEmulator: "emulator"
        case .emulator(let url), .replacement(let url): url
        case .google: "https://fcm.googleapis.com"
        case .unresolved: "unresolved"
        }
    }
}
