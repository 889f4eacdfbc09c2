import Diagnostics

extension RulePage {
    static let conflictingKeys = RulePage(
        .conflictingKeys,
        whatItDoes: "",
        whyIsThisBad: "",
        example: "",
        useInstead: "",
        source: ""
    )
}
