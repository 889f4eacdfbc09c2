import Diagnostics

extension RulePage {
    static let invalidColour = RulePage(
        .invalidColour,
        whatItDoes: "",
        whyIsThisBad: "",
        example: "",
        useInstead: "",
        source: ""
    )
}
