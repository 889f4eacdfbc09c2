import Diagnostics

extension RulePage {
    static let collapsibleBurst = RulePage(
        .collapsibleBurst,
        whatItDoes: "",
        whyIsThisBad: "",
        example: "",
        useInstead: "",
        source: ""
    )
}
