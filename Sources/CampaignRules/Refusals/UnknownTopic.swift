import Diagnostics

extension RulePage {
    static let unknownTopic = RulePage(
        .unknownTopic,
        whatItDoes: "",
        whyIsThisBad: "",
        example: "",
        useInstead: "",
        source: ""
    )
}
