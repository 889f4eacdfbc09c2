import Diagnostics

extension RulePage {
    static let numberOutOfRange = RulePage(
        .numberOutOfRange,
        whatItDoes: "",
        whyIsThisBad: "",
        example: "",
        useInstead: "",
        source: ""
    )
}
