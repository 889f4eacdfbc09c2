import Diagnostics

extension RulePage {
    static let tooManyCollapseKeys = RulePage(
        .tooManyCollapseKeys,
        whatItDoes: "",
        whyIsThisBad: "",
        example: "",
        useInstead: "",
        source: ""
    )
}
