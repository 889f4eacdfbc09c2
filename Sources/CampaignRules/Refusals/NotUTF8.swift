import Diagnostics

extension RulePage {
    static let notUTF8 = RulePage(
        .notUTF8,
        whatItDoes: "",
        whyIsThisBad: "",
        example: "",
        useInstead: "",
        source: ""
    )
}
