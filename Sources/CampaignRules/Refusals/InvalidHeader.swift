import Diagnostics

extension RulePage {
    static let invalidHeader = RulePage(
        .invalidHeader,
        whatItDoes: "",
        whyIsThisBad: "",
        example: "",
        useInstead: "",
        source: ""
    )
}
