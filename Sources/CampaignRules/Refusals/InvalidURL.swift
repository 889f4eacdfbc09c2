import Diagnostics

extension RulePage {
    static let invalidURL = RulePage(
        .invalidURL,
        whatItDoes: "",
        whyIsThisBad: "",
        example: "",
        useInstead: "",
        source: ""
    )
}
