import Diagnostics

extension RulePage {
    static let unreadableFile = RulePage(
        .unreadableFile,
        whatItDoes: "",
        whyIsThisBad: "",
        example: "",
        useInstead: "",
        source: ""
    )
}
