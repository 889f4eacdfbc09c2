import Diagnostics

extension RulePage {
    static let notBuiltYet = RulePage(
        .notBuiltYet,
        whatItDoes: "",
        whyIsThisBad: "",
        example: "",
        useInstead: "",
        source: ""
    )
}
