import Diagnostics

extension RulePage {
    static let localeTag = RulePage(
        .localeTag,
        whatItDoes: "",
        whyIsThisBad: "",
        example: "",
        useInstead: "",
        source: ""
    )
}
