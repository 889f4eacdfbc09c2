import Diagnostics

extension RulePage {
    static let quarterHour = RulePage(
        .quarterHour,
        whatItDoes: "",
        whyIsThisBad: "",
        example: "",
        useInstead: "",
        source: ""
    )
}
