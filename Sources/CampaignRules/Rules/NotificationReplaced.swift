import Diagnostics

extension RulePage {
    static let notificationReplaced = RulePage(
        .notificationReplaced,
        whatItDoes: "",
        whyIsThisBad: "",
        example: "",
        useInstead: "",
        source: ""
    )
}
