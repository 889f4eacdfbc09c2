import CampaignLoading
import CampaignModel
import Diagnostics

extension RulePage {
    static let privateContentToTopic = RulePage(
        .privateContentToTopic,
        whatItDoes: "",
        whyIsThisBad: "",
        example: "",
        useInstead: "",
        source: ""
    )
}

extension Rule {
    /// What it does: finds what belongs to one person in a message to a topic or condition: mail
    /// addresses, telephone numbers, one-time codes, tokens, and data under names such as
    /// `email`, `first_name` or `iban`.
    ///
    /// Why is this bad: any client can subscribe to any topic, so that topics suit what is public.
    ///
    /// Addresses of the owner's domain, names such as `info@`, and data under names that begin
    /// with `support`, `sender` or `office` are the sender's own and pass. A telephone number has
    /// a `+`, or at least 9 digits in groups.
    ///
    /// Example: `data: { otp: "482913" }` to `topic: anglers`
    ///
    /// Use instead: `audience: { registrations: … }`
    ///
    /// Source: Firebase documentation, Topic messaging.
    static let privateContentToTopic = Rule.ofCampaigns(.privateContentToTopic) { subject, log in
        guard subject.campaign.target.reachesSubscribers else { return }
        let owner = MailAddress.all(in: subject.campaign.owner ?? "").first
        for text in subject.content.sentTexts where !text.text.isEmpty && !text.hasCredential {
            if let key = text.path.last, text.isData, PersonalKey.names(key) {
                log.report(.privateKeyToTopic(key, at: subject.keySpan(at: text.path)))
            } else if let kind = PrivateContent.first(in: text.text, ownDomain: owner?.domain) {
                log.report(.privateContentToTopic(kind, at: subject.span(at: text.path)))
            }
        }
    }
}

/// What belongs to one person, as a text shows it.
private enum PrivateContent: String {
    case token
    case mailAddress = "mail address"
    case telephoneNumber = "telephone number"
    case oneTimeCode = "one-time code"

    static func first(in text: String, ownDomain: String?) -> PrivateContent? {
        if !SecretText.kinds(in: text).isDisjoint(with: [.registration, .webToken]) {
            return .token
        }
        if MailAddress.all(in: text).contains(where: { !$0.isPublic(domain: ownDomain) }) {
            return .mailAddress
        }
        if TelephoneNumber.isIn(text) { return .telephoneNumber }
        return OneTimeCode.isIn(text) ? .oneTimeCode : nil
    }
}

extension ContentText {
    /// Another rule refuses those, to whomever they go.
    fileprivate var hasCredential: Bool {
        SecretText.kinds(in: text).contains { $0.credentialName != nil }
    }
}

extension DiagnosticLog {
    /// Without private content that is refused as a registration, whomever it is for.
    var withoutRefusedRegistrations: DiagnosticLog {
        let refused = diagnostics.filter { $0.rule == .registrationInFile }.compactMap(\.span)
        guard !refused.isEmpty else { return self }
        return map { finding in
            guard finding.rule == .privateContentToTopic, let span = finding.span else {
                return finding
            }
            return refused.contains(where: span.contains) ? nil : finding
        }
    }
}

extension Diagnostic {
    fileprivate static func privateContentToTopic(
        _ kind: PrivateContent,
        at span: SourceSpan?
    ) -> Diagnostic {
        privateToTopic(
            "a message to a topic carries a \(kind.rawValue)",
            label: "a \(kind.rawValue)",
            at: span
        )
    }

    fileprivate static func privateKeyToTopic(_ key: String, at span: SourceSpan?) -> Diagnostic {
        privateToTopic(
            "a message to a topic carries `\(key)`",
            label: "names something personal",
            at: span
        )
    }

    private static func privateToTopic(
        _ message: String,
        label: String,
        at span: SourceSpan?
    ) -> Diagnostic {
        Diagnostic(
            rule: .privateContentToTopic,
            message: message,
            span: span,
            label: label,
            help: [
                "any client can subscribe to any topic: send it to registrations, or leave it out"
            ]
        )
    }
}
