import Diagnostics

extension RulePage {
    static let rolloutStages = RulePage(
        .rolloutStages,
        whatItDoes: "",
        whyIsThisBad: "",
        example: "",
        useInstead: "",
        source: ""
    )
}
