import Diagnostics

extension RulePage {
    static let duplicateKey = RulePage(
        .duplicateKey,
        whatItDoes: "",
        whyIsThisBad: "",
        example: "",
        useInstead: "",
        source: ""
    )
}
