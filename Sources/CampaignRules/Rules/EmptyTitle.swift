import Diagnostics

extension RulePage {
    static let emptyTitle = RulePage(
        .emptyTitle,
        whatItDoes: "",
        whyIsThisBad: "",
        example: "",
        useInstead: "",
        source: ""
    )
}
