import Diagnostics

extension RulePage {
    static let topicBetterAsList = RulePage(
        .topicBetterAsList,
        whatItDoes: "",
        whyIsThisBad: "",
        example: "",
        useInstead: "",
        source: ""
    )
}
