import CampaignModel
import Diagnostics
package import Scheduling
import YAMLSyntax

/// A cron expression as written.
package struct CronDeclaration: Sendable {
    package let text: String
    package let schedule: CronSchedule
}

/// A recurrence rule as written; it is parsed once its first local time is known.
package struct RecurrenceDeclaration: Sendable {
    package let text: String
    /// Returns the span of a part of the text, given in UTF-8 offsets.
    let place: @Sendable (Range<Int>) -> SourceSpan
}

extension ValueReader where Value == CronDeclaration {
    static let cron = ValueReader(
        .text(TextForm(pattern: "[ \\t]*[^ \\t]+([ \\t]+[^ \\t]+){4}[ \\t]*"))
    ) { node, log in
        guard let scalar = node.requireScalar("a cron expression", reportingTo: &log) else {
            return nil
        }
        do throws(CronError) {
            return CronDeclaration(
                text: scalar.text,
                schedule: try CronSchedule(parsing: scalar.text)
            )
        } catch {
            for error in CronSchedule.errors(parsing: scalar.text) {
                let span = node.span(ofText: error.range)
                log.report(.scheduleSyntax(error.message, help: error.help, at: span))
            }
            return nil
        }
    }
}

extension ValueReader where Value == RecurrenceDeclaration {
    static let recurrence = ValueReader(
        .text(TextForm(pattern: "(RRULE:|rrule:)?([A-Za-z]+=[^;=]+)(;[A-Za-z]+=[^;=]+)*"))
    ) { node, log in
        guard let scalar = node.requireScalar("a recurrence rule", reportingTo: &log) else {
            return nil
        }
        return RecurrenceDeclaration(text: scalar.text) { node.span(ofText: $0) }
    }
}

extension Diagnostic {
    static func scheduleSyntax(
        _ message: String,
        help: String,
        at span: SourceSpan
    ) -> Diagnostic {
        Diagnostic(rule: .scheduleSyntax, message: message, span: span, help: [help])
    }
}
