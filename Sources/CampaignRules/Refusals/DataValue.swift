import Diagnostics

extension RulePage {
    static let dataValue = RulePage(
        .dataValue,
        whatItDoes: "",
        whyIsThisBad: "",
        example: "",
        useInstead: "",
        source: ""
    )
}
