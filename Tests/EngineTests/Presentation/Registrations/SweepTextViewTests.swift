import Presentation
import Sending
import State
import Testing

struct SweepTextViewTests {
    private let view = SweepTextView(style: .plain)

    @Test func `a list without problems is one line`() {
        let report = SweepReport(
            count: 0,
            skipped: 0,
            tally: SweepReport.Tally(),
            recorded: 0,
            end: .complete
        )
        #expect(view.render(report, of: "anglers") == "Checked 0 registrations: 0 valid.\n")
    }

    @Test func `shows skipped, unanswered and recorded registrations`() {
        let report = SweepReport(
            count: 1_234,
            skipped: 4,
            tally: SweepReport.Tally(),
            recorded: 2,
            end: .complete
        )
        let text = view.render(report, of: "anglers")
        #expect(text.contains("4 were dead before and not checked."))
        #expect(text.contains("1,230 without a conclusive answer: run the command again."))
        #expect(text.contains("Recorded 2 dead registrations: Herald sends nothing to them."))
        #expect(text.contains("`herald registrations prune anglers`"))
    }

    @Test(arguments: [
        (
            Hold.mostlyDead,
            "1,000 of the first 1,000 registrations are unregistered or belong to another Firebase "
                + "project"
        ),
        (.refusedPayload, "FCM refuses 1,000 registrations in a row"),
    ])
    func `a list that looks wrong is an error`(hold: Hold, message: String) {
        let evidence = WrongListDetector.WrongListEvidence(
            hold: hold,
            dead: 990,
            mismatched: 10,
            answers: 1_000
        )
        #expect(ErrorText.suspiciousSweep(evidence).message == message)
    }
}
