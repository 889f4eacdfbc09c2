import Diagnostics

extension RulePage {
    static let scheduleSyntax = RulePage(
        .scheduleSyntax,
        whatItDoes: "",
        whyIsThisBad: "",
        example: "",
        useInstead: "",
        source: ""
    )
}
