package import CampaignModel
import Text

/// The input of guards: the environment's limits and the kind of run.
package struct GuardBasis: Hashable, Sendable {
    package var limits = EnvironmentSettings.standard.guards
    package var isProtected = false
    /// The project ID in FCM; nil if there is nothing to compare.
    package var projectID: String?
    /// The server's address, if it is neither Google's nor on this machine.
    package var foreignServer: String?
    /// Whether `HERALD_NOW` sets the clock.
    package var hasFixedClock = false
    /// The guards that are switched off for this run.
    package var bypassed: Set<Guard> = []
    /// Nil for a plan without an apply.
    package var application: GuardedApplication?

    package init() {}

    package init(_ environment: Environment, of project: Project, hasFixedClock: Bool) {
        limits = environment.settings.guards
        isProtected = environment.settings.isProtected
        projectID = environment.projectID(of: project)
        foreignServer = environment.foreignServer
        self.hasFixedClock = hasFixedClock
    }

    /// Returns the verdict of a guard in this run.
    func verdict(_ guard: Guard, _ refusal: GuardRefusal) -> GuardVerdict {
        bypassed.contains(`guard`) ? .bypassed(refusal) : .refused(refusal)
    }
}

/// Known facts about an apply before it asks for confirmation.
package struct GuardedApplication: Hashable, Sendable {
    /// Whether the apply names the plan that it expects (`--expect`).
    package let isReviewed: Bool
    /// Whether the user can type the environment's name, or the reviewed plan replaces it.
    package let isConfirmable: Bool

    package init(isReviewed: Bool, isConfirmable: Bool) {
        self.isReviewed = isReviewed
        self.isConfirmable = isConfirmable
    }
}

extension Environment {
    /// The address that replaces Google's hosts, if it is not on this machine.
    package var foreignServer: String? {
        guard case .fcm(let account) = endpoint, let endpoint = account.endpoint,
            let address = ServerAddress(of: endpoint), !address.isGoogles, !address.isLoopback
        else { return nil }
        return endpoint
    }

    /// Returns the project ID in FCM; an emulator uses the project's name.
    package func projectID(of project: Project) -> String? {
        switch endpoint {
        case .embeddedEmulator, .emulator: project.id.rawValue
        case .fcm(let account): account.projectID
        case .unresolved: nil
        }
    }
}
