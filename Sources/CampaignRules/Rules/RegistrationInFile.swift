import Diagnostics

extension RulePage {
    static let registrationInFile = RulePage(
        .registrationInFile,
        whatItDoes: "",
        whyIsThisBad: "",
        example: "",
        useInstead: "",
        source: ""
    )
}
