import Diagnostics

extension RulePage {
    static let unknownRule = RulePage(
        .unknownRule,
        whatItDoes: "",
        whyIsThisBad: "",
        example: "",
        useInstead: "",
        source: ""
    )
}
