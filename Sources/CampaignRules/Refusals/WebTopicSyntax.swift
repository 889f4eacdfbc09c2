import Diagnostics

extension RulePage {
    static let webTopicSyntax = RulePage(
        .webTopicSyntax,
        whatItDoes: "",
        whyIsThisBad: "",
        example: "",
        useInstead: "",
        source: ""
    )
}
