import Diagnostics

extension RulePage {
    static let allowSyntax = RulePage(
        .allowSyntax,
        whatItDoes: "",
        whyIsThisBad: "",
        example: "",
        useInstead: "",
        source: ""
    )
}
