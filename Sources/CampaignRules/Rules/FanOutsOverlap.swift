import Diagnostics

extension RulePage {
    static let fanOutsOverlap = RulePage(
        .fanOutsOverlap,
        whatItDoes: "",
        whyIsThisBad: "",
        example: "",
        useInstead: "",
        source: ""
    )
}
