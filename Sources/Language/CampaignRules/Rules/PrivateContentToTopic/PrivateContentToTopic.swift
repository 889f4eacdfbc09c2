import CampaignLoading
import CampaignModel
import Diagnostics

extension Rule {
    static let privateContentToTopic = Rule.ofCampaigns(.privateContentToTopic) { subject, log in
        guard subject.campaign.target.reachesSubscribers, subject.survey.mayBePersonal else {
            return
        }
        for text in subject.texts where text.isSent && !text.text.isEmpty && !text.hasCredential {
            if let key = text.name, text.isData, PersonalKey.names(key) {
                log.report(.privateKeyToTopic(key, at: subject.keySpan(at: text.path)))
            } else if let kind = PrivateContent.first(in: text, ownDomain: subject.ownDomain) {
                log.report(.privateContentToTopic(kind, at: subject.span(at: text.path)))
            }
        }
    }
}

extension CampaignSubject {
    fileprivate var ownDomain: String? {
        MailAddress.all(in: campaign.owner ?? "").first?.domain
    }
}

/// The kind of a text that belongs to one person.
private enum PrivateContent: String {
    case token = "a token"
    case mailAddress = "an email address"
    case telephoneNumber = "a phone number"
    case oneTimeCode = "a one-time code"

    static func first(
        in content: ContentText,
        ownDomain: @autoclosure () -> String?
    ) -> PrivateContent? {
        let (text, marks) = (content.text, content.marks)
        if marks.contains(.secret),
            !SecretText.kinds(in: text).isDisjoint(with: [.registration, .webToken])
        {
            return .token
        }
        if marks.contains(.at),
            MailAddress.all(in: text).contains(where: { !$0.isPublic(domain: ownDomain()) })
        {
            return .mailAddress
        }
        if marks.contains(.eightDigits), TelephoneNumber.isIn(text) { return .telephoneNumber }
        return marks.contains(.fourDigits) && OneTimeCode.isIn(text) ? .oneTimeCode : nil
    }
}

extension ContentText {
    /// Whether it contains a credential, which another rule refuses for any audience.
    fileprivate var hasCredential: Bool {
        marks.contains(.secret)
            && SecretText.kinds(in: text).contains { $0.credentialName != nil }
    }
}

extension DiagnosticLog {
    /// Drops private content that is also refused as a registration.
    var withoutRefusedRegistrations: DiagnosticLog {
        let refused = diagnostics.filter { $0.rule == .registrationInFile }.compactMap(\.span)
        guard !refused.isEmpty else { return self }
        let index = SpanIndex(refused)
        return map { finding in
            guard finding.rule == .privateContentToTopic, let span = finding.span else {
                return finding
            }
            return index.hasPlace(in: span) ? nil : finding
        }
    }
}

extension Diagnostic {
    fileprivate static func privateContentToTopic(
        _ kind: PrivateContent,
        at span: SourceSpan?
    ) -> Diagnostic {
        privateToTopic(
            "a message to a topic contains \(kind.rawValue)",
            label: kind.rawValue,
            at: span
        )
    }

    fileprivate static func privateKeyToTopic(_ key: String, at span: SourceSpan?) -> Diagnostic {
        privateToTopic(
            "a message to a topic contains `\(key)`",
            label: "personal data",
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
                "send it to registrations or remove it: any client can subscribe to any topic"
            ]
        )
    }
}
