import Preflight
import Presentation
import Testing

struct CheckupTextViewTests {
    private func render(_ columns: Int?) -> String {
        let style = TextStyle(useColor: false, width: TextWidth(columns: columns))
        let seen = "FCM accepts a message to a topic (validate_only: nothing was sent)"
        return CheckupTextView(style: style).render([.ok(.send, seen: seen)])
    }

    @Test func `a check at 60 columns`() {
        #expect(
            render(60) == """
                  ok       send         FCM accepts a message to a topic
                                        (validate_only: nothing was sent)

                """
        )
    }

    @Test(arguments: [80, nil])
    func `a check at 80 columns and in a file`(columns: Int?) {
        #expect(
            render(columns) == """
                  ok       send         FCM accepts a message to a topic (validate_only: nothing
                                        was sent)

                """
        )
    }

    @Test(arguments: [120, 160])
    func `a check at 120 columns and at 160`(columns: Int) {
        #expect(
            render(columns) == """
                  ok       send         FCM accepts a message to a topic (validate_only: nothing was sent)

                """
        )
    }

    @Test func `checks that are skipped for one reason name it once`() {
        let missing = CheckupFinding(.credentials, verdict: .problem, seen: "there is none")
        let checks: [CheckupFinding.Check] = [
            .project, .token, .sender, .proxy, .connection, .clock, .send,
        ]
        let skipped = checks.map { CheckupFinding.skipped($0, because: "no credential") }
        let other = CheckupFinding.skipped(.memberships, because: "another reason")
        let view = CheckupTextView(style: .plain)
        #expect(
            view.render([missing] + skipped + [other]) == """
                  problem  credentials  there is none
                  skipped  project, token, sender, proxy, connection, clock, send: no credential
                  skipped  memberships  another reason

                """
        )
    }
}
