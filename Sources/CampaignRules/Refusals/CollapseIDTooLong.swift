import Diagnostics

extension RulePage {
    static let collapseIDTooLong = RulePage(
        .collapseIDTooLong,
        whatItDoes: "",
        whyIsThisBad: "",
        example: "",
        useInstead: "",
        source: ""
    )
}
