package import CampaignModel
package import Sending
package import State

/// Renders the results of test messages, one line per message.
package struct TestSendTextView: Sendable {
    private let style: TextStyle

    package init(style: TextStyle) {
        self.style = style
    }

    /// Renders sent messages and their run in the history.
    package func render(
        _ results: [TestResult],
        of campaign: Campaign,
        in run: RunID
    ) -> String {
        let taken = results.count { $0.verdict.outcome == .accepted }
        return style.folded(
            lines(results)
                + "Sent to \(taken.grouped) of \(results.count.counting("registration")) as "
                + "\(OccurrenceID.test(of: campaign)), run \(run.number).\n"
        )
    }

    /// Renders FCM's validation of the messages.
    package func renderRehearsal(_ results: [TestResult]) -> String {
        style.folded(lines(results) + "Dry run: nothing was sent or recorded.\n")
    }

    private func lines(_ results: [TestResult]) -> String {
        results.map { result in
            let (word, tone, detail) = wording(result.verdict)
            let label = style.paint(word.padded(to: 9), in: tone)
            return "\(label) \(result.fingerprint)  \(TextStyle.line(detail))\n"
        }.joined()
    }

    private func wording(
        _ verdict: TestResult.Verdict
    ) -> (word: String, tone: TextStyle.Tone, detail: String) {
        switch verdict {
        case .accepted(let name): ("accepted", .good, name)
        case .rejected(let reason): ("rejected", .attention, reason)
        case .unknown(let reason): ("unknown", .bad, reason)
        case .notSent(let reason): ("not sent", .bad, reason)
        }
    }
}
