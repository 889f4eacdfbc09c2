import Diagnostics

extension RulePage {
    static let unknownAudience = RulePage(
        .unknownAudience,
        whatItDoes: "",
        whyIsThisBad: "",
        example: "",
        useInstead: "",
        source: ""
    )
}
