import Diagnostics

extension RulePage {
    static let unknownKey = RulePage(
        .unknownKey,
        whatItDoes: "",
        whyIsThisBad: "",
        example: "",
        useInstead: "",
        source: ""
    )
}
