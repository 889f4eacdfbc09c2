import Diagnostics

extension RulePage {
    static let invalidRegistration = RulePage(
        .invalidRegistration,
        whatItDoes: "",
        whyIsThisBad: "",
        example: "",
        useInstead: "",
        source: ""
    )
}
