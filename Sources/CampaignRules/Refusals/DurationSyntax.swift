import Diagnostics

extension RulePage {
    static let durationSyntax = RulePage(
        .durationSyntax,
        whatItDoes: "",
        whyIsThisBad: "",
        example: "",
        useInstead: "",
        source: ""
    )
}
