import Diagnostics

extension RulePage {
    static let unknownAnchor = RulePage(
        .unknownAnchor,
        whatItDoes: "",
        whyIsThisBad: "",
        example: "",
        useInstead: "",
        source: ""
    )
}
