import Diagnostics

extension RulePage {
    static let tooManyStored = RulePage(
        .tooManyStored,
        whatItDoes: "",
        whyIsThisBad: "",
        example: "",
        useInstead: "",
        source: ""
    )
}
