import Diagnostics

extension RulePage {
    static let emptyList = RulePage(
        .emptyList,
        whatItDoes: "",
        whyIsThisBad: "",
        example: "",
        useInstead: "",
        source: ""
    )
}
