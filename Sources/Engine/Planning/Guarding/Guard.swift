/// What keeps an apply from doing more than its environment allows.
///
/// The raw values stand in JSON, in the options that switch guards off and in the history: they
/// never change.
package enum Guard: String, Hashable, Sendable, CaseIterable {
    /// How many one campaign may reach (`guard.max_recipients`).
    case maxRecipients = "max-recipients"
    /// Which share of a managed membership may join and leave in one apply (`guard.max_change`).
    case maxChange = "max-change"
    /// Which share of the scheduled sends may be cancelled in one apply.
    case maxCancellations = "max-cancellations"
    /// By how much a list may be shorter than it was (`guard.max_change`).
    case shrunkList = "shrunk-list"
    /// A protected environment's campaigns address no test audience.
    case testAudience = "test-audience"
    /// How many messages one apply may ask FCM for (`guard.max_sends_per_run`).
    case maxSendsPerRun = "max-sends-per-run"
    /// The state was made for another project of FCM's.
    case projectID = "project-id"
    /// What is asked is Google's, or this machine (`fcm.endpoint`).
    case endpoint = "endpoint"
    /// `HERALD_NOW` sets no clock of a protected environment.
    case clock = "clock"
    /// Apply needs the digest of the plan that was reviewed (`guard.require_reviewed_plan`).
    case reviewedPlan = "reviewed-plan"
    /// Apply needs the environment's name to be typed (`protected`).
    case protected = "protected"

    /// The option that switches it off for one run, as it stands in the history.
    package var option: String { "--dangerous-" + rawValue }

    /// Whether it is about the run and its moment, not about what the files want: then its outcome
    /// is no part of what a reviewer agrees to.
    package var isAboutTheRun: Bool {
        switch self {
        case .maxSendsPerRun, .clock, .reviewedPlan, .protected: true
        case .maxRecipients, .maxChange, .maxCancellations, .shrunkList, .testAudience,
            .projectID, .endpoint:
            false
        }
    }
}
