import Diagnostics

extension RulePage {
    static let ttlOutOfRange = RulePage(
        .ttlOutOfRange,
        whatItDoes: "",
        whyIsThisBad: "",
        example: "",
        useInstead: "",
        source: ""
    )
}
