package import ArgumentParser
package import Planning

/// Options that bypass guards for one run.
struct GuardOptions: ParsableArguments {
    @Flag var bypasses: [Guard] = []

    /// The bypassed guards without duplicates, in the order of `Guard`.
    var bypassed: [Guard] { Guard.allCases.filter(bypasses.contains) }
}

extension Guard: EnumerableFlag {
    package static func name(for value: Guard) -> NameSpecification {
        .customLong("dangerous-" + value.rawValue)
    }

    package static func help(for value: Guard) -> ArgumentHelp? {
        ArgumentHelp(stringLiteral: value.helpText)
    }

    private var helpText: String {
        switch self {
        case .maxRecipients: "Campaigns may reach more than max_recipients."
        case .maxChange: "Memberships may change by more than max_change."
        case .maxCancellations: "More of what is scheduled may be cancelled."
        case .shrunkList: "Lists may be shorter by more than max_change."
        case .testAudience: "Test audiences may be addressed where it is protected."
        case .maxSendsPerRun: "More than max_sends_per_run may be sent."
        case .projectID: "The state may become one of another project."
        case .endpoint: EndpointOptions.helpText
        case .clock: "HERALD_NOW may set the clock where it is protected."
        case .reviewedPlan: "No reviewed plan is needed."
        case .protected: "The environment's name need not be typed."
        }
    }
}

/// The option that allows other endpoints, for commands that no guard checks.
struct EndpointOptions: ParsableArguments {
    @Flag(
        name: .customLong("dangerous-endpoint"),
        help: ArgumentHelp(stringLiteral: Self.helpText)
    )
    var allowsAnyServer = false

    /// The bypassed guards to record in the history.
    var bypasses: [String] { allowsAnyServer ? [Guard.endpoint.option] : [] }

    static let helpText = "The endpoint may be neither Google's nor this machine."
}
