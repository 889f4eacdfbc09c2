import Diagnostics

extension RulePage {
    static let duplicateName = RulePage(
        .duplicateName,
        whatItDoes: "",
        whyIsThisBad: "",
        example: "",
        useInstead: "",
        source: ""
    )
}
