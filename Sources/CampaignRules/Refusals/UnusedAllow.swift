import Diagnostics

extension RulePage {
    static let unusedAllow = RulePage(
        .unusedAllow,
        whatItDoes: "",
        whyIsThisBad: "",
        example: "",
        useInstead: "",
        source: ""
    )
}
