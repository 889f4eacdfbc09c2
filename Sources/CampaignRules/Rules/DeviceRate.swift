import Diagnostics

extension RulePage {
    static let deviceRate = RulePage(
        .deviceRate,
        whatItDoes: "",
        whyIsThisBad: "",
        example: "",
        useInstead: "",
        source: ""
    )
}
