import Diagnostics

extension RulePage {
    static let needsList = RulePage(
        .needsList,
        whatItDoes: "",
        whyIsThisBad: "",
        example: "",
        useInstead: "",
        source: ""
    )
}
