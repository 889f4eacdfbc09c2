import Diagnostics

extension RulePage {
    static let momentSyntax = RulePage(
        .momentSyntax,
        whatItDoes: "",
        whyIsThisBad: "",
        example: "",
        useInstead: "",
        source: ""
    )
}
