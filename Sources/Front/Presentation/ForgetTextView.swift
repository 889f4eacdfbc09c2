package import State

/// Renders the result of `herald state forget`, including data that it cannot erase.
///
/// Prints no registration.
package struct ForgetTextView {
    /// Earlier state files next to this one.
    private let copies: [String]

    package init(copies: [String]) {
        self.copies = copies
    }

    package func render(_ report: ForgetReport, of people: ForgottenPeople) -> String {
        let whom = people.count.counting("registration")
        let found = "\(report.found.count.grouped) of \(whom) found in the state and erased.\n"
        let counts = [
            (report.members, "membership"), (report.places, "place in stored lists"),
            (report.dead, "dead registration"), (report.groups, "place in device groups"),
            (report.problems, "note of a run"),
        ]
        let lines = counts.filter { $0.0 > 0 }.map { count, what in
            "  \(count.grouped) × \(what)\n"
        }
        return found + lines.joined() + sendings(report) + unreachable
    }

    /// Warns that a reader of the state prevented the erasure of its write-ahead log.
    package var unswept: String {
        "warning: somebody reads the state, so its write-ahead log still holds what was erased; the "
            + "next run that writes to the state empties it\n"
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
        let kept = copies.map { "  this folder's \(TextStyle.safe($0)): delete it\n" }.joined()
        return """
            Not reached:
              copies of the state that were pulled or backed up
              the team's own lists: who is in them is joined and sent to again
              FCM's topics and device groups: who was in one still is
              digests of lists in sendings, definitions and plans: of a list with one person in it, \
            who knows the registration can tell that it was there
            \(kept)
            """
    }
}
