import Diagnostics

extension RulePage {
    static let yamlTag = RulePage(
        .yamlTag,
        whatItDoes: "",
        whyIsThisBad: "",
        example: "",
        useInstead: "",
        source: ""
    )
}
