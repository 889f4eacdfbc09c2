import Diagnostics

/// The texts that a field accepts, and the message for other texts.
struct TextDomain: Sendable {
    let rule: RuleID
    let expected: String
    let help: String?
    /// The same domain for editors; it is larger if a regular expression cannot express the domain.
    let form: TextForm
    /// Whether the text grants access to a device and must not be repeated.
    let isSecret: Bool
    let contains: @Sendable (String) -> Bool

    init(
        _ rule: RuleID,
        expected: String,
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

    static let any = TextDomain(.wrongKind, expected: "text", form: .any) { _ in true }
    static let orMapping = TextDomain(.wrongKind, expected: "text or a mapping", form: .any) { _ in
        true
    }
}
