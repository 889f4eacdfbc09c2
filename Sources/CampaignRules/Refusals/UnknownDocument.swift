import Diagnostics

extension RulePage {
    static let unknownDocument = RulePage(
        .unknownDocument,
        whatItDoes: "",
        whyIsThisBad: "",
        example: "",
        useInstead: "",
        source: ""
    )
}
