/// A limit that keeps an apply from doing more than its environment allows.
///
/// The raw values appear in JSON, in the options that switch guards off, and in the history. They
/// never change.
package enum Guard: String, Hashable, Sendable, CaseIterable {
    /// The maximum number of devices that one campaign may reach (`guard.max_recipients`).
    case maxRecipients = "max-recipients"
    /// The largest share of a managed membership that may join and leave in one apply
    /// (`guard.max_change`).
    case maxChange = "max-change"
    /// The largest share of the scheduled sends that one apply may cancel.
    case maxCancellations = "max-cancellations"
    /// How much shorter a list may become (`guard.max_change`).
    case shrunkList = "shrunk-list"
    /// Campaigns in a protected environment must not address a test audience.
    case testAudience = "test-audience"
    /// The maximum number of messages that one apply may send to FCM (`guard.max_sends_per_run`).
    case maxSendsPerRun = "max-sends-per-run"
    /// The state must belong to the same Firebase project.
    case projectID = "project-id"
    /// The server must be Google's or on this machine (`fcm.endpoint`).
    case endpoint = "endpoint"
    /// `HERALD_NOW` must not set the clock of a protected environment.
    case clock = "clock"
    /// Apply needs the digest of the reviewed plan (`guard.require_reviewed_plan`).
    case reviewedPlan = "reviewed-plan"
    /// Apply needs the typed name of the environment (`protected`).
    case protected = "protected"

    /// The option that switches the guard off for one run; also recorded in the history.
    package var option: String { "--dangerous-" + rawValue }

    /// Whether the guard depends on the run and its time, not on the files; a reviewer then does
    /// not approve its outcome.
    package var isAboutTheRun: Bool {
        switch self {
        case .maxSendsPerRun, .clock, .reviewedPlan, .protected: true
        case .maxRecipients, .maxChange, .maxCancellations, .shrunkList, .testAudience,
            .projectID, .endpoint:
            false
        }
    }
}
