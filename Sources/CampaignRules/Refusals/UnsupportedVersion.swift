import Diagnostics

extension RulePage {
    static let unsupportedVersion = RulePage(
        .unsupportedVersion,
        whatItDoes: "",
        whyIsThisBad: "",
        example: "",
        useInstead: "",
        source: ""
    )
}
