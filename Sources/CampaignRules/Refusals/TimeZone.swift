import Diagnostics

extension RulePage {
    static let timeZone = RulePage(
        .timeZone,
        whatItDoes: "",
        whyIsThisBad: "",
        example: "",
        useInstead: "",
        source: ""
    )
}
