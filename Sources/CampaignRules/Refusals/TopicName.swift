import Diagnostics

extension RulePage {
    static let topicName = RulePage(
        .topicName,
        whatItDoes: "",
        whyIsThisBad: "",
        example: "",
        useInstead: "",
        source: ""
    )
}
