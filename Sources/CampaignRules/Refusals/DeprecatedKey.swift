import Diagnostics

extension RulePage {
    static let deprecatedKey = RulePage(
        .deprecatedKey,
        whatItDoes: "",
        whyIsThisBad: "",
        example: "",
        useInstead: "",
        source: ""
    )
}
