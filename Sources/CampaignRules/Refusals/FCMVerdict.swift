import Diagnostics

extension RulePage {
    static let fcmVerdict = RulePage(
        .fcmVerdict,
        whatItDoes: "",
        whyIsThisBad: "",
        example: "",
        useInstead: "",
        source: ""
    )
}
