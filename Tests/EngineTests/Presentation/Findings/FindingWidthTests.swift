import Diagnostics
import Presentation
import Testing

struct FindingWidthTests {
    private static let path = "campaigns/warning.yaml"
    private static let text =
        "  condition: \"'tides' in topics && ('azores' in topics || 'madeira' in topics)\"\n"

    private func render(_ columns: Int?) throws -> String {
        var catalog = SourceCatalog()
        let source = catalog.add(path: Self.path, bytes: Array(Self.text.utf8))
        let finding = Diagnostic(
            rule: .notificationReplaced,
            severity: .note,
            message: "if offline, a device in `tides` may get only `tide-alert`, not "
                + "`spring-tide-warning`",
            span: SourceSpan(source: source, start: 2, end: 78),
            label: "sent now, stored for up to 12h",
            help: [
                "write a shorter `ttl`, send it later, or send data, because all notifications "
                    + "share one collapse key"
            ]
        )
        let style = TextStyle(useColor: false, width: TextWidth(columns: columns))
        return DiagnosticTextView(catalog: catalog, style: style).render(finding)
    }

    @Test func `a finding at 60 columns`() throws {
        #expect(
            try render(60) == #"""
                note[notification-replaced]: if offline, a device in `tides`
                    may get only `tide-alert`, not `spring-tide-warning`
                  --> campaigns/warning.yaml:1:3
                   |
                 1 |   condition: "'tides' in topics && ('azores' in topic…
                   |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
                   |   sent now, stored for up to 12h
                   |
                help: write a shorter `ttl`, send it later, or send data,
                      because all notifications share one collapse key
                """#
        )
    }

    @Test func `a finding at 80 columns`() throws {
        #expect(
            try render(80) == #"""
                note[notification-replaced]: if offline, a device in `tides` may get only
                    `tide-alert`, not `spring-tide-warning`
                  --> campaigns/warning.yaml:1:3
                   |
                 1 |   condition: "'tides' in topics && ('azores' in topics || 'madeira' in to…
                   |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
                   |   sent now, stored for up to 12h
                   |
                help: write a shorter `ttl`, send it later, or send data, because all
                      notifications share one collapse key
                """#
        )
    }

    @Test(arguments: [120, 160, nil])
    func `a finding at 120 columns, at 160 and in a file`(columns: Int?) throws {
        #expect(
            try render(columns) == #"""
                note[notification-replaced]: if offline, a device in `tides` may get only `tide-alert`, not `spring-tide-warning`
                  --> campaigns/warning.yaml:1:3
                   |
                 1 |   condition: "'tides' in topics && ('azores' in topics || 'madeira' in topics)"
                   |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ sent now, stored for up to 12h
                   |
                help: write a shorter `ttl`, send it later, or send data, because all notifications share one collapse key
                """#
        )
    }

    @Test func `a label that does not fit beside its mark is below it, further left`() throws {
        var page = RenderedPage()
        let file = page.add("a.yaml", "key: { some: long, text: before, the: mark }")
        let span = try page.span(of: "mark", in: file)
        let finding = Diagnostic(
            rule: .wrongKind,
            message: "m",
            span: span,
            label: "this value has the wrong kind, and the label is long"
        )
        #expect(
            page.render(finding, columns: 60) == """
                error[wrong-kind]: m
                  --> a.yaml:1:39
                   |
                 1 | key: { some: long, text: before, the: mark }
                   |                                       ^^^^
                   |                this value has the wrong kind, and the
                   |                label is long
                """
        )
    }
}
