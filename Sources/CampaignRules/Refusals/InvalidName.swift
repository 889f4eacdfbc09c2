import Diagnostics

extension RulePage {
    static let invalidName = RulePage(
        .invalidName,
        whatItDoes: "",
        whyIsThisBad: "",
        example: "",
        useInstead: "",
        source: ""
    )
}
