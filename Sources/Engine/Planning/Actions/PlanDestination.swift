package import CampaignModel

/// The place that the requests of a plan go to.
package struct PlanDestination: Hashable, Sendable {
    /// The server that receives the requests.
    package enum Server: Hashable, Sendable {
        /// The emulator of this project.
        case ownEmulator
        /// An emulator at this address.
        case emulator(url: String)
        case google
        /// A server at this address, which replaces Google's hosts.
        case replacement(url: String)
        /// It depends on a variable that was not resolved.
        case unresolved
    }

    package let environment: EnvironmentID
    /// The project ID in FCM; an emulator uses the project's name.
    package let projectID: String
    package let server: Server
    package let isProtected: Bool

    package init(
        environment: EnvironmentID,
        projectID: String,
        server: Server,
        isProtected: Bool
    ) {
        self.environment = environment
        self.projectID = projectID
        self.server = server
        self.isProtected = isProtected
    }

    package init(_ environment: Environment, of project: Project) {
        self.init(
            environment: environment.id,
            projectID: environment.projectID(of: project) ?? project.id.rawValue,
            server: environment.endpoint.server,
            isProtected: environment.settings.isProtected
        )
    }
}

extension Environment.Endpoint {
    fileprivate var server: PlanDestination.Server {
        switch self {
        case .embeddedEmulator: .ownEmulator
        case .emulator(let url, _, _): .emulator(url: url)
        case .fcm(let account):
            if let url = account.endpoint { .replacement(url: url) } else { .google }
        case .unresolved: .unresolved
        }
    }
}
