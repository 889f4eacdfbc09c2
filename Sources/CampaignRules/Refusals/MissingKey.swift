import Diagnostics

extension RulePage {
    static let missingKey = RulePage(
        .missingKey,
        whatItDoes: "",
        whyIsThisBad: "",
        example: "",
        useInstead: "",
        source: ""
    )
}
