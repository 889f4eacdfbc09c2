package import State

/// Renders the result of `herald state forget`, including data that it cannot erase.
///
/// Prints no registration.
package struct ForgetTextView {
    private let style: TextStyle
    /// Earlier state files next to this one.
    private let copies: [String]

    package init(style: TextStyle = .plain, copies: [String]) {
        self.style = style
        self.copies = copies
    }

    package func render(_ report: ForgetReport, of people: ErasureRequest) -> String {
        let named = people.count.counting("registration")
        let found = "\(report.found.count.grouped) of \(named) found in the state and erased.\n"
        let counts = [
            (report.members, "membership"), (report.places, "place in stored lists"),
            (report.dead, "dead registration"), (report.groups, "place in device groups"),
            (report.contacts, "place among the people that frequency caps count"),
            (report.upstream, "effect of messages from devices"),
            (report.problems, "problem in the record of a run"),
        ]
        let lines = counts.filter { $0.0 > 0 }.map { count, what in
            "  \(count.grouped) × \(what)\n"
        }
        return style.folded(found + lines.joined() + sendings(report) + unreachable)
    }

    /// Warns that a reader of the state prevented the erasure of its write-ahead log.
    package var unswept: String {
        style.folded(
            "warning: another process is reading the state, so its write-ahead log still contains "
                + "erased data; the next run that writes to the state empties it\n"
        )
    }

    private func sendings(_ report: ForgetReport) -> String {
        let suppressed = report.suppressed.sorted { $0.key < $1.key }.map { occurrence, count in
            "  \(occurrence): \(count.counting("request")) never sent (\(OutcomeDetail.forgotten))\n"
        }
        let dropped = report.dropped.sorted { $0.key < $1.key }.map { occurrence, count in
            "  \(occurrence): \(count.counting("request")) unknown, given up\n"
        }
        return (suppressed + dropped).joined()
    }

    private var unreachable: String {
        let kept = copies.map { "  \(TextStyle.safe($0)) in this directory: delete it\n" }.joined()
        return """
            Not erased:
              copies of the state that were pulled or backed up
              registration lists: registrations in them are subscribed and addressed again
              FCM's topics and device groups: subscriptions and members remain
              digests of lists in occurrences, definitions and plans: a known registration can be \
            recognized in the digest of a list that contains only this registration
            \(kept)
            """
    }
}
