import Diagnostics

extension RulePage {
    static let fixedRule = RulePage(
        .fixedRule,
        whatItDoes: "",
        whyIsThisBad: "",
        example: "",
        useInstead: "",
        source: ""
    )
}
