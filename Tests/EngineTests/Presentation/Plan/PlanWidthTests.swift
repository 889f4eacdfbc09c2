import Testing

@testable import Presentation

struct PlanWidthTests {
    private func render(_ columns: Int?) throws -> String {
        let sample = try SampleDescription().make()
        let story = PlanDescription(
            head: sample.head,
            groups: [],
            notices: [
                NoticeDescription(
                    subject: "beta-anglers",
                    wording: "leaves topic tides in two days, because its campaign was removed "
                        + "from the files of this project, and it has 3 members"
                )
            ],
            guards: [],
            unchanged: 0,
            leftOut: 0,
            summary: "Plan: 1 send.",
            digest: nil
        )
        let style = TextStyle(useColor: false, width: TextWidth(columns: columns))
        return PlanTextView(style: style).render(story)
    }

    @Test func `a plan at 60 columns`() throws {
        #expect(
            try render(60) == """
                Destination: production, project ID tidewatch-b5ae1,
                  https://fcm.googleapis.com, protected
                Notes

                  beta-anglers: leaves topic tides in two days, because
                    its campaign was removed from the files of this project,
                    and it has 3 members

                Plan: 1 send.

                """
        )
    }

    @Test(arguments: [80, nil])
    func `a plan at 80 columns and in a file`(columns: Int?) throws {
        #expect(
            try render(columns) == """
                Destination: production, project ID tidewatch-b5ae1,
                  https://fcm.googleapis.com, protected
                Notes

                  beta-anglers: leaves topic tides in two days, because its campaign was
                    removed from the files of this project, and it has 3 members

                Plan: 1 send.

                """
        )
    }

    @Test(arguments: [120, 160])
    func `a plan at 120 columns and at 160`(columns: Int) throws {
        #expect(
            try render(columns) == """
                Destination: production, project ID tidewatch-b5ae1, https://fcm.googleapis.com, protected
                Notes

                  beta-anglers: leaves topic tides in two days, because its campaign was removed from the files of this project, and
                    it has 3 members

                Plan: 1 send.

                """
        )
    }
}
