import Diagnostics

extension RulePage {
    static let duplicateRegistration = RulePage(
        .duplicateRegistration,
        whatItDoes: "",
        whyIsThisBad: "",
        example: "",
        useInstead: "",
        source: ""
    )
}
