package import CampaignMessages
package import CampaignModel
package import RunControl
package import State
package import Time

/// A recorded run that only sends to test registrations.
///
/// Before the first request, the history records their outcomes as unknown. Each answer replaces
/// that.
package struct TestRun: Sendable {
    private let history: any HistoryStore
    private let sender: TestSender
    /// The name in the history.
    private let occurrence: OccurrenceID

    /// The caller holds the write lock.
    package init(history: any HistoryStore, sender: TestSender, of campaign: Campaign) {
        self.history = history
        self.sender = sender
        occurrence = .test(of: campaign)
    }

    package func perform(
        _ message: MessageTemplate,
        to people: [TestRecipient],
        by worker: Worker,
        at now: @Sendable () -> Instant
    ) async throws(ApplyError) -> (run: RunID, results: [TestResult]) {
        var begun: RunID?
        let results = try await sender.send(
            message,
            to: people,
            validatesOnly: false
        ) { results async throws(ApplyError) in
            try await mapLedgerErrors { () async throws(StateStoreError) in
                let run = if let begun { begun } else { try await history.beginRun(worker) }
                begun = run
                try await history.record(sending(results), in: run)
            }
        }
        guard let run = begun else { throw .interrupted }
        try await finish(run, with: results, at: now())
        return (run, results)
    }

    private func finish(
        _ run: RunID,
        with results: [TestResult],
        at moment: Instant
    ) async throws(ApplyError) {
        let tally = sending(results).tally
        try await mapLedgerErrors { () async throws(StateStoreError) in
            try await history.finishRun(
                run,
                as: RunEnd(
                    status: tally[.returned] > 0 ? .stopped : .complete,
                    tally: tally,
                    cause: "a test send",
                    at: moment
                )
            )
        }
    }

    private func sending(_ results: [TestResult]) -> RunOccurrence {
        var tally = OutcomeTally()
        for result in results { tally[result.verdict.outcome] += 1 }
        return RunOccurrence(
            occurrence: occurrence,
            tally: tally,
            problems: results.compactMap(\.problem)
        )
    }
}

extension OccurrenceID {
    /// Returns the name of a campaign's test in the history.
    package static func test(of campaign: Campaign) -> OccurrenceID {
        OccurrenceID(campaign: campaign.id, slot: .test, revision: campaign.revision)
    }
}

extension TestResult {
    fileprivate var problem: RunProblem? {
        switch verdict {
        case .rejected(let reason):
            RunProblem(kind: .rejected, registration: fingerprint.description, reason: reason)
        case .unknown(let reason):
            RunProblem(kind: .unknown, registration: fingerprint.description, reason: reason)
        case .accepted, .notSent: nil
        }
    }
}
