/// Errors of `--only` and `--except`.
extension ErrorText {
    package static func emptySelection(by selector: String, candidates: [String]) -> ErrorText {
        ErrorText(
            "`\(TextStyle.safe(selector))` matches no campaign or audience in the files "
                + "or in the state",
            help: .didYouMean(selector, among: candidates)
        )
    }
}
