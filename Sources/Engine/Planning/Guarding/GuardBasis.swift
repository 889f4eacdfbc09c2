package import CampaignModel
import Text

/// The input of guards: the environment's limits and the kind of run.
package struct GuardBasis: Hashable, Sendable {
    package let limits: Guards
    package let isProtected: Bool
    /// The project ID in FCM; nil if there is nothing to compare.
    package let projectID: String?
    /// The server's address, if it is neither Google's nor on this machine.
    package let foreignServer: String?
    /// Whether `HERALD_NOW` sets the clock.
    package let hasFixedClock: Bool
    /// The guards that are switched off for this run.
    package let bypassed: Set<Guard>
    /// The approvals that the files declare, for later plans; nil if none.
    package let approvals: ApprovalPolicy?
    /// Nil for a plan without an apply.
    package let application: GuardedApplication?

    package init(
        limits: Guards = EnvironmentSettings.standard.guards,
        isProtected: Bool = false,
        projectID: String? = nil,
        foreignServer: String? = nil,
        hasFixedClock: Bool = false,
        bypassed: Set<Guard> = [],
        approvals: ApprovalPolicy? = nil,
        application: GuardedApplication? = nil
    ) {
        self.limits = limits
        self.isProtected = isProtected
        self.projectID = projectID
        self.foreignServer = foreignServer
        self.hasFixedClock = hasFixedClock
        self.bypassed = bypassed
        self.approvals = approvals
        self.application = application
    }

    package init(
        _ environment: Environment,
        of project: Project,
        hasFixedClock: Bool,
        approvals: ApprovalPolicy? = nil
    ) {
        self.init(
            limits: environment.settings.guards,
            isProtected: environment.settings.isProtected,
            projectID: environment.projectID(of: project),
            foreignServer: environment.foreignServer,
            hasFixedClock: hasFixedClock,
            approvals: approvals
        )
    }

    /// Returns the same limits for a run that switches guards off.
    ///
    /// `application`: nil if the run applies nothing.
    package func bypassing(
        _ bypassed: Set<Guard>,
        for application: GuardedApplication? = nil
    ) -> GuardBasis {
        GuardBasis(
            limits: limits,
            isProtected: isProtected,
            projectID: projectID,
            foreignServer: foreignServer,
            hasFixedClock: hasFixedClock,
            bypassed: bypassed,
            approvals: approvals,
            application: application
        )
    }

    /// Returns the verdict of a guard in this run.
    func verdict(on guard: Guard, refusal: GuardRefusal) -> GuardVerdict {
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
