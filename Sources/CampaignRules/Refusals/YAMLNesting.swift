import Diagnostics

extension RulePage {
    static let yamlNesting = RulePage(
        .yamlNesting,
        whatItDoes: "",
        whyIsThisBad: "",
        example: "",
        useInstead: "",
        source: ""
    )
}
