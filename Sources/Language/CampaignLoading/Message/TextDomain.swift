import Diagnostics

/// Which texts a field takes, and what to say of others.
struct TextDomain: Sendable {
    let rule: RuleID
    let expected: String
    let help: String?
    /// The same texts for editors; for what a regular expression can't say, more of them.
    let form: TextForm
    /// Whoever reads the text can write to a device: it is not repeated.
    let isSecret: Bool
    let contains: @Sendable (String) -> Bool

    init(
        _ rule: RuleID,
        _ expected: String,
        help: String? = nil,
        form: TextForm,
        isSecret: Bool = false,
        contains: @escaping @Sendable (String) -> Bool
    ) {
        self.rule = rule
        self.expected = expected
        self.help = help
        self.form = form
        self.isSecret = isSecret
        self.contains = contains
    }

    static let any = TextDomain(.wrongKind, "text", form: .any) { _ in true }
    static let orMapping = TextDomain(.wrongKind, "text or a mapping", form: .any) { _ in true }
}
