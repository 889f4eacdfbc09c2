package import CampaignModel
import Text

/// What guards go by: what an environment says, and who asks how.
package struct GuardBasis: Hashable, Sendable {
    package var limits = EnvironmentSettings.standard.guards
    package var isProtected = false
    /// The project's id as FCM knows it; nil where there is nothing to compare.
    package var projectID: String?
    /// What is asked, where that is neither Google's nor this machine.
    package var foreignServer: String?
    /// The clock stands where `HERALD_NOW` says.
    package var hasFixedClock = false
    /// Switched off for this run.
    package var bypassed: Set<Guard> = []
    /// Nil for a plan that only looks.
    package var application: GuardedApplication?

    package init() {}

    package init(_ environment: Environment, of project: Project, hasFixedClock: Bool) {
        limits = environment.settings.guards
        isProtected = environment.settings.isProtected
        projectID = environment.projectID(of: project)
        foreignServer = environment.foreignServer
        self.hasFixedClock = hasFixedClock
    }

    /// A verdict, as this run sees it.
    func verdict(_ guard: Guard, _ refusal: GuardRefusal) -> GuardVerdict {
        bypassed.contains(`guard`) ? .bypassed(refusal) : .refused(refusal)
    }
}

/// What is known of an apply before it asks anybody.
package struct GuardedApplication: Hashable, Sendable {
    /// It says which plan it expects (`--expect`).
    package let isReviewed: Bool
    /// Somebody is asked for the environment's name, or what was reviewed stands for it.
    package let isConfirmable: Bool

    package init(isReviewed: Bool, isConfirmable: Bool) {
        self.isReviewed = isReviewed
        self.isConfirmable = isConfirmable
    }
}

extension Environment {
    /// The address that stands in place of Google's hosts, where it is not this machine either.
    package var foreignServer: String? {
        guard case .fcm(let account) = endpoint, let endpoint = account.endpoint,
            let address = ServerAddress(of: endpoint), !address.isGoogles, !address.isLoopback
        else { return nil }
        return endpoint
    }

    /// The project's id as FCM knows it: an emulator takes the project's own name for it.
    package func projectID(of project: Project) -> String? {
        switch endpoint {
        case .embeddedEmulator, .emulator: project.id.rawValue
        case .fcm(let account): account.projectID
        case .unresolved: nil
        }
    }
}
