import Diagnostics

extension RulePage {
    static let yamlAliases = RulePage(
        .yamlAliases,
        whatItDoes: "",
        whyIsThisBad: "",
        example: "",
        useInstead: "",
        source: ""
    )
}
