import Diagnostics

extension RulePage {
    static let tooManyLabels = RulePage(
        .tooManyLabels,
        whatItDoes: "",
        whyIsThisBad: "",
        example: "",
        useInstead: "",
        source: ""
    )
}
