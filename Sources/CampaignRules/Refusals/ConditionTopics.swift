import Diagnostics

extension RulePage {
    static let conditionTopics = RulePage(
        .conditionTopics,
        whatItDoes: "",
        whyIsThisBad: "",
        example: "",
        useInstead: "",
        source: ""
    )
}
