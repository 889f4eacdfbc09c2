import Diagnostics

extension RulePage {
    static let yamlSyntax = RulePage(
        .yamlSyntax,
        whatItDoes: "",
        whyIsThisBad: "",
        example: "",
        useInstead: "",
        source: ""
    )
}
