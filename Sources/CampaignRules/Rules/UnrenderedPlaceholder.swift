import Diagnostics

extension RulePage {
    static let unrenderedPlaceholder = RulePage(
        .unrenderedPlaceholder,
        whatItDoes: "",
        whyIsThisBad: "",
        example: "",
        useInstead: "",
        source: ""
    )
}
