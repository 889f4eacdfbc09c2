import Diagnostics

extension RulePage {
    static let wrongKind = RulePage(
        .wrongKind,
        whatItDoes: "",
        whyIsThisBad: "",
        example: "",
        useInstead: "",
        source: ""
    )
}
