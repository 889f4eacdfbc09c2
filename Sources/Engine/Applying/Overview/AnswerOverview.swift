import CampaignModel
package import State

/// The answers of devices to a campaign with one event, in all runs.
package struct AnswerOverview: Hashable, Sendable {
    /// Answers of the registrations in one arm of the campaign's experiment.
    package struct Arm: Hashable, Sendable {
        package let kind: ExperimentRecord.Kind
        package let count: Int
    }

    package let event: String
    /// The number of registrations that answered.
    package let count: Int
    /// In the order of the experiment; empty without an experiment.
    package let arms: [Arm]

    package init(event: String, count: Int, arms: [Arm] = []) {
        self.event = event
        self.count = count
        self.arms = arms
    }
}

extension OverviewReader {
    /// The answers to a campaign, by event.
    func answers(to campaign: CampaignID) async throws(StateStoreError) -> [AnswerOverview] {
        let answers = try await store.upstreamAnswers(to: campaign)
        guard !answers.isEmpty else { return [] }
        let (kinds, places) = try await arms(
            of: Set(answers.map(\.fingerprint.high)),
            in: campaign
        )
        let events = Dictionary(grouping: answers, by: \.event.name)
        return events.sorted { $0.key < $1.key }.map { event, answers in
            let registrations = Set(answers.map(\.fingerprint))
            let found = Dictionary(grouping: registrations.compactMap { places[$0.high] }) { $0 }
            return AnswerOverview(
                event: event,
                count: registrations.count,
                arms: kinds.indices.map { number in
                    AnswerOverview.Arm(kind: kinds[number], count: found[number]?.count ?? 0)
                }
            )
        }
    }

    /// Returns the arms of a campaign's experiment, and the number of the arm of each registration in
    /// its latest send.
    private func arms(
        of registrations: Set<UInt64>,
        in campaign: CampaignID
    ) async throws(StateStoreError) -> ([ExperimentRecord.Kind], [UInt64: Int]) {
        var kinds: [ExperimentRecord.Kind] = []
        var places: [UInt64: Int] = [:]
        for exposure in try await store.exposures(of: campaign) {
            let own = exposure.experiment.arms.map { arm in
                if let known = kinds.firstIndex(of: arm.kind) { return known }
                kinds.append(arm.kind)
                return kinds.count - 1
            }
            var first = 0
            while let subjects = try await store.subjects(of: exposure, from: first) {
                for (place, registration) in subjects.registrations.enumerated()
                where registrations.contains(registration) {
                    let arm = Int(subjects.arms[place])
                    if own.indices.contains(arm) { places[registration] = own[arm] }
                }
                first += subjects.arms.count
            }
        }
        return (kinds, places)
    }
}
