import CampaignModel
package import RegistrationLists
package import State

/// The answers of devices to one campaign, which runs recorded from their messages.
package struct UpstreamOutcomes: OutcomeSource {
    private var answers: ArraySlice<UpstreamAnswer>
    private let fingerprinter: Fingerprinter
    private var count = 0

    package init(_ answers: [UpstreamAnswer], fingerprinter: Fingerprinter) {
        self.answers = answers[...]
        self.fingerprinter = fingerprinter
    }

    package mutating func next(atMost limit: Int) -> OutcomeBatch? {
        guard !answers.isEmpty else { return nil }
        var batch = OutcomeBatch()
        for answer in answers.prefix(limit) {
            count += 1
            let event = "\(answer.event.name)\0\(answer.message.inbox)\0\(answer.message.number)"
            batch.reports.append(
                OutcomeReport(
                    line: count,
                    subject: .registration(answer.fingerprint.high),
                    time: answer.time,
                    name: answer.event.name,
                    event: fingerprinter.fingerprint(ofIdentity: event),
                    campaign: answer.event.campaign
                )
            )
        }
        answers = answers.dropFirst(limit)
        return batch
    }
}
