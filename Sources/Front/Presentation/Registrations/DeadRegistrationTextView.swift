package import RegistrationLists

/// Renders what `herald registrations prune` and `revive` did.
package struct DeadRegistrationTextView: Sendable {
    package init() {}

    /// `output` and `removed`: the paths of the written files.
    package func render(_ division: ListDivision, output: String, removed: String) -> String {
        let total = division.keptCount + division.removedCount
        let empty = division.keptCount == 0 ? " No live registrations are left." : ""
        return """
            \(total.counting("registration")): \(division.removedCount.grouped) dead, \
            \(division.keptCount.grouped) live.\(empty)
            Wrote \(TextStyle.safe(output)) and \(TextStyle.safe(removed)).

            """
    }

    package func renderRevived(_ count: Int) -> String {
        count == 0
            ? "None of the given registrations is dead.\n"
            : "Revived \(count.counting("registration")).\n"
    }

    package func renderOptedIn(_ count: Int) -> String {
        count == 0
            ? "None of the given registrations has opted out.\n"
            : "Ended the opt-out of \(count.counting("registration")).\n"
    }
}
