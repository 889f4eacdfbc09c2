import CampaignLoading
import Diagnostics

extension RulePage {
    static let credentialInFile = RulePage(
        .credentialInFile,
        whatItDoes: """
            Finds texts of the shape of a credential in messages.

            These are an API key (`AIza` and 35 characters; those of Android apps, Apple apps, \
            browsers and servers look alike), a private key, and a server key of FCM's legacy \
            protocols.
            """,
        whyIsThisBad: """
            Whoever reads the files or gets the message can use it, and the history of the files \
            keeps it. Herald's own credentials are named by reference in an environment.
            """,
        example: """
            campaign: new-charts
            audience: { topic: tides }
            message:
              data: { chart: azores, map_key: AIza⟨x×35⟩ }
            """,
        useInstead: """
            campaign: new-charts
            audience: { topic: tides }
            message:
              data: { chart: azores }
            """,
        source: "Firebase documentation, About FCM messages, Credentials"
    )
}

extension Rule {
    static let credentialInFile = Rule.ofCampaigns(.credentialInFile) { subject, log in
        for text in subject.texts where text.marks.contains(.secret) {
            let kinds = SecretText.kinds(in: text.text)
            guard let name = credentialNames.first(where: { kinds.contains($0.kind) })?.name else {
                continue
            }
            log.report(.credentialInFile(name, at: subject.span(at: text.path)))
        }
    }
}

private let credentialNames: [(kind: SecretText, name: String)] = [
    (.privateKey, "a private key"),
    (.legacyServerKey, "a server key"),
    (.apiKey, "an API key"),
]

extension Diagnostic {
    fileprivate static func credentialInFile(_ name: String, at span: SourceSpan?) -> Diagnostic {
        Diagnostic(
            rule: .credentialInFile,
            message: "a message can't carry a credential: this has the shape of \(name)",
            span: span,
            label: "whoever gets the message can use it",
            help: [
                "take it out and rotate it, because the file's history keeps it",
                "credentials are named by reference in an environment",
            ]
        )
    }
}
