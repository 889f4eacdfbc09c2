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
        case .maxRecipients: "Allow campaigns to reach more than max_recipients."
        case .maxChange: "Allow membership changes above max_change."
        case .maxCancellations: "Allow more scheduled sends to be cancelled."
        case .shrunkList: "Allow lists to shrink by more than max_change."
        case .testAudience: "Allow test audiences in a protected environment."
        case .maxSendsPerRun: "Allow more sends than max_sends_per_run."
        case .projectID: "Allow the state to change to another project."
        case .endpoint: EndpointOptions.helpText
        case .clock: "Allow HERALD_NOW in a protected environment."
        case .reviewedPlan: "Apply without a reviewed plan."
        case .protected: "Apply without typing the environment's name."
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

    static let helpText = "Allow endpoints other than Google and localhost."
}
