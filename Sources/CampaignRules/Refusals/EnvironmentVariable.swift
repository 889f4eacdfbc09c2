import Diagnostics

extension RulePage {
    static let environmentVariable = RulePage(
        .environmentVariable,
        whatItDoes: "",
        whyIsThisBad: "",
        example: "",
        useInstead: "",
        source: ""
    )
}
