import CampaignModel
import JSON
import Planning
package import State

/// The results of one run.
package struct RunOverview: Sendable {
    package let run: RunRecord
    /// Whether another process holds the lock and may still be working.
    package let isWriting: Bool
    package let sendings: [RunOccurrenceOverview]
    package let memberships: [RunMembership]

    package init(
        run: RunRecord,
        isWriting: Bool,
        sendings: [RunOccurrenceOverview],
        memberships: [RunMembership]
    ) {
        self.run = run
        self.isWriting = isWriting
        self.sendings = sendings
        self.memberships = memberships
    }
}

/// A run's changes to an occurrence.
package struct RunOccurrenceOverview: Sendable {
    package let sending: RunOccurrence
    /// Nil if the state no longer contains the occurrence.
    package let unit: WorkUnitRecord?
    /// FCM's ID of an accepted message to a topic or condition.
    package let messageID: String?
    /// The analytics label of the message, if it is the same for all platforms.
    package let label: String?
    /// What the occurrence reached in all runs; nil if it has no objective.
    package let objective: ObjectiveOverview?
    /// The answers to the campaign in all runs.
    package let answers: [AnswerOverview]

    package init(
        sending: RunOccurrence,
        unit: WorkUnitRecord?,
        messageID: String?,
        label: String? = nil,
        objective: ObjectiveOverview? = nil,
        answers: [AnswerOverview] = []
    ) {
        self.sending = sending
        self.unit = unit
        self.messageID = messageID
        self.label = label
        self.objective = objective
        self.answers = answers
    }
}

extension OverviewReader {
    /// Nil if there is no run with that number.
    package func run(_ number: Int64) async throws(StateStoreError) -> RunOverview? {
        let isWriting = try await store.currentWriter() != .nobody
        guard number >= 1, number < .max else { return nil }
        let newest = try await store.runs(before: RunID(number: number + 1), limit: 1).first
        guard let run = newest, run.id.number == number else { return nil }
        var sendings: [RunOccurrenceOverview] = []
        var answers: [CampaignID: [AnswerOverview]] = [:]
        for sending in try await store.sendings(of: run.id) {
            let record = try await store.occurrence(sending.occurrence)
            let unit = record?.unit
            var accepted: String?
            if let unit, sending.tally[.accepted] > 0 { accepted = try await messageID(unit) }
            // A run may send many occurrences of one campaign.
            let campaign = sending.occurrence.campaign
            if answers[campaign] == nil {
                answers[campaign] = try await self.answers(to: campaign)
            }
            sendings.append(
                RunOccurrenceOverview(
                    sending: sending,
                    unit: unit,
                    messageID: accepted,
                    label: record?.label,
                    objective: record.flatMap(ObjectiveOverview.init),
                    answers: answers[campaign] ?? []
                )
            )
        }
        return RunOverview(
            run: run,
            isWriting: isWriting,
            sendings: sendings,
            memberships: try await store.membershipChanges(of: run.id)
        )
    }

    private func messageID(_ unit: WorkUnitRecord) async throws(StateStoreError) -> String? {
        guard unit.target.isFanOut, unit.compacted == nil else { return nil }
        let accepted = try await store.requests(of: unit.id, with: .accepted, limit: 1).first
        let words = accepted?.detail.flatMap { OutcomeDetail(text: $0).words }
        return words.flatMap { $0.hasPrefix("projects/") ? $0 : nil }
    }
}

extension OccurrenceRecord {
    /// The analytics label of the message.
    fileprivate var label: String? {
        message?["fields"]?["fcm_options"]?["analytics_label"]?.stringValue
    }
}
