package import RunControl

/// The result of checking the registrations of a list with FCM.
package struct SweepReport: Hashable, Sendable {
    /// Number of registrations per verdict.
    package struct Tally: Hashable, Sendable {
        private var counts: [SweepVerdict: Int]

        package init(_ counts: [SweepVerdict: Int] = [:]) {
            self.counts = counts
        }

        package subscript(verdict: SweepVerdict) -> Int { counts[verdict] ?? 0 }

        package var answered: Int { counts.values.reduce(0, +) }

        mutating func add(_ verdict: SweepVerdict) { counts[verdict, default: 0] += 1 }
    }

    package enum End: Hashable, Sendable {
        /// Every registration was requested.
        case complete
        /// The answers indicate a wrong list or project, so no registration was recorded after
        /// them.
        case suspicious(WrongListDetector.WrongListEvidence)
        /// The sweep ended early.
        case failed(ApplyError)
    }

    /// Number of registrations in the list.
    package let count: Int
    /// Number of registrations that were dead before, which are not checked.
    package let skipped: Int
    package let tally: Tally
    /// Number of registrations that were recorded as dead.
    package let recorded: Int
    package let end: End

    package init(count: Int, skipped: Int, tally: Tally, recorded: Int, end: End) {
        self.count = count
        self.skipped = skipped
        self.tally = tally
        self.recorded = recorded
        self.end = end
    }

    /// Number of registrations without a conclusive answer.
    package var unanswered: Int { count - skipped - tally.answered }

    /// Whether FCM gave a verdict on every registration.
    package var isWhole: Bool { end == .complete && unanswered == 0 }
}

extension SweepReport.End {
    init(_ end: DispatchMachine.End) {
        switch end {
        case .complete: self = .complete
        case .held(let evidence): self = .suspicious(evidence)
        case .stopped: self = .failed(.interrupted)
        case .refused(let reason): self = .failed(.refused(reason: reason))
        case .unanswered(let reason): self = .failed(.unanswered(reason: reason))
        case .unsettled, .paused, .dayEnded, .nightBegan, .rolloutStopped, .expired:
            preconditionFailure("a sweep has no unknown outcomes, no pauses and no expiry")
        }
    }
}
