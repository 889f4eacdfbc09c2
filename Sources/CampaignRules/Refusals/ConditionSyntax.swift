import Diagnostics

extension RulePage {
    static let conditionSyntax = RulePage(
        .conditionSyntax,
        whatItDoes: "",
        whyIsThisBad: "",
        example: "",
        useInstead: "",
        source: ""
    )
}
