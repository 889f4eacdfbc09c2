import Diagnostics

extension RulePage {
    static let testWording = RulePage(
        .testWording,
        whatItDoes: "",
        whyIsThisBad: "",
        example: "",
        useInstead: "",
        source: ""
    )
}
