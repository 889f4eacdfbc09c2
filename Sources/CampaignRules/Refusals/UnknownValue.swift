import Diagnostics

extension RulePage {
    static let unknownValue = RulePage(
        .unknownValue,
        whatItDoes: "",
        whyIsThisBad: "",
        example: "",
        useInstead: "",
        source: ""
    )
}
