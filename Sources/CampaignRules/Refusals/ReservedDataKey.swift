import Diagnostics

extension RulePage {
    static let reservedDataKey = RulePage(
        .reservedDataKey,
        whatItDoes: "",
        whyIsThisBad: "",
        example: "",
        useInstead: "",
        source: ""
    )
}
