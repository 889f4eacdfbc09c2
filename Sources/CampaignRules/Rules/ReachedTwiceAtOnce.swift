import Diagnostics

extension RulePage {
    static let reachedTwiceAtOnce = RulePage(
        .reachedTwiceAtOnce,
        whatItDoes: "",
        whyIsThisBad: "",
        example: "",
        useInstead: "",
        source: ""
    )
}
