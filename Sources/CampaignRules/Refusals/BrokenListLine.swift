import Diagnostics

extension RulePage {
    static let brokenListLine = RulePage(
        .brokenListLine,
        whatItDoes: "",
        whyIsThisBad: "",
        example: "",
        useInstead: "",
        source: ""
    )
}
