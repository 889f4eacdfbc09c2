import Diagnostics

extension RulePage {
    static let scheduleBounds = RulePage(
        .scheduleBounds,
        whatItDoes: "",
        whyIsThisBad: "",
        example: "",
        useInstead: "",
        source: ""
    )
}
