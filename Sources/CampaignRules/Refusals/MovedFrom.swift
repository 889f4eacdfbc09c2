import Diagnostics

extension RulePage {
    static let movedFrom = RulePage(
        .movedFrom,
        whatItDoes: "",
        whyIsThisBad: "",
        example: "",
        useInstead: "",
        source: ""
    )
}
