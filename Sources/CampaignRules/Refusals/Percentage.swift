import Diagnostics

extension RulePage {
    static let percentage = RulePage(
        .percentage,
        whatItDoes: "",
        whyIsThisBad: "",
        example: "",
        useInstead: "",
        source: ""
    )
}
