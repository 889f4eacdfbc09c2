package import Time

/// Errors of `herald calendar`.
extension ErrorText {
    package static func periodEndsBeforeBeginning(
        _ first: CivilDate,
        _ last: CivilDate
    ) -> ErrorText {
        ErrorText(
            "the last day \(last) is before the first day \(first)",
            help: "give a later day with --to, or an earlier one with --from"
        )
    }

    package static func longPeriod(_ first: CivilDate, _ last: CivilDate) -> ErrorText {
        ErrorText(
            "\(first) to \(last) is longer than ten years",
            help: "give an earlier day with --to, or a later one with --from"
        )
    }
}
