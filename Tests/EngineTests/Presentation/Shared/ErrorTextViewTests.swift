import Testing

@testable import Presentation

struct ErrorTextViewTests {
    private static let error = ErrorText(
        "another run is writing this state: `apply` by ada on desk, process 4711",
        help: "wait for it, or set a longer --lock-timeout for this command and for the next one"
    )

    private func render(_ columns: Int?, useColor: Bool = false) -> String {
        ErrorTextView(style: TextStyle(useColor: useColor, width: TextWidth(columns: columns)))
            .render(Self.error)
    }

    @Test func `an error at 60 columns`() {
        #expect(
            render(60) == """
                error: another run is writing this state: `apply` by ada on
                       desk, process 4711
                help: wait for it, or set a longer --lock-timeout for this
                      command and for the next one

                """
        )
    }

    @Test func `an error at 80 columns`() {
        #expect(
            render(80) == """
                error: another run is writing this state: `apply` by ada on desk, process 4711
                help: wait for it, or set a longer --lock-timeout for this command and for the
                      next one

                """
        )
    }

    @Test(arguments: [120, 160, nil])
    func `an error at 120 columns, at 160 and in a file`(columns: Int?) {
        #expect(
            render(columns) == """
                error: another run is writing this state: `apply` by ada on desk, process 4711
                help: wait for it, or set a longer --lock-timeout for this command and for the next one

                """
        )
    }

    @Test func `colours the labels`() {
        #expect(render(nil, useColor: true).hasPrefix("\u{1B}[31merror\u{1B}[0m: another run"))
    }
}
