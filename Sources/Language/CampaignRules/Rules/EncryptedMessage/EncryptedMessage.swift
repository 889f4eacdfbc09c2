import CampaignLoading
import CampaignModel
import Diagnostics
import JSON

extension Rule {
    static let encryptedMessage = Rule.ofCampaigns(.encryptedMessage) { subject, log in
        guard let encryption = subject.campaign.encryption else { return }
        if subject.key == .own, let text = encryption.placeholder?.readableTemplate {
            let encrypt = subject.declaration?.encrypt
            let place = encrypt?.value.placeholder?.span ?? encrypt?.span
            log.report(.readableValue(in: text, at: place))
        }
        // A part that seems to be missing in a campaign with errors may be misspelled.
        if subject.context.isWhole(subject.campaign) {
            for finding in subject.missingParts(of: encryption) { log.report(finding) }
        }
        for path in subject.content.readableTexts {
            log.report(.readableText(path, at: subject.keySpan(at: path)))
        }
    }
}

extension CampaignSubject {
    /// The findings on parts without which the message cannot be encrypted, or need not be.
    fileprivate func missingParts(of encryption: MessageEncryption) -> [Diagnostic] {
        let encrypt = declaration?.encrypt
        var found: [Diagnostic] = []
        if key == .own, case .registrations(let list) = campaign.target, !list.hasPublicKeys {
            found.append(.listWithoutKeys(at: encrypt?.span))
        }
        let isShown = content.fields["notification"] != nil
        if isShown, encryption.placeholder == nil {
            found.append(.withoutPlaceholder(at: keySpan(at: ["notification"])))
        } else if !isShown, encryption.placeholder != nil {
            found.append(
                .needlessPlaceholder(at: encrypt?.value.placeholder?.span ?? encrypt?.span)
            )
        } else if !isShown, content.fields["data"]?.objectValue?.isEmpty != false {
            found.append(.nothingToEncrypt(at: encrypt?.span))
        }
        return found
    }
}

extension MessageEncryption.Placeholder {
    /// The first text that would contain a value of a row.
    fileprivate var readableTemplate: String? {
        [title, body].compactMap(\.self).first { $0.contains("{{") }
    }
}

extension MessageContent {
    /// The paths of the fields outside of the common `data` and `notification` that have a text for
    /// recipients, or a value of a row.
    fileprivate var readableTexts: [[String]] {
        let named = Self.readablePaths.filter { value(at: $0) != nil }
        let custom = (value(at: ["apns", "payload"])?.objectValue?.members ?? [])
            .filter { $0.key != "aps" }.map { ["apns", "payload", $0.key] }
        let known = named + custom
        let values = fields.members
            .filter { !MessageEncryption.encryptedFields.contains($0.key) }
            .flatMap { $0.value.templates(at: [$0.key]) }
            .filter { path in !known.contains { path.starts(with: $0) } }
        return known + values
    }

    private static let readablePaths: [[String]] =
        ["title", "body", "ticker", "image"].map { ["android", "notification", $0] }
        + ["title_loc_key", "title_loc_args", "body_loc_key", "body_loc_args"].map {
            ["android", "notification", $0]
        }
        + [["android", "data"], ["webpush", "data"]]
        + ["title", "body", "image", "data", "actions"].map { ["webpush", "notification", $0] }
        + ["alert", "content-state", "attributes"].map { ["apns", "payload", "aps", $0] }
        + [["apns", "fcm_options", "image"]]
}

extension JSONValue {
    /// The paths of the texts with placeholders of columns.
    fileprivate func templates(at path: [String]) -> [[String]] {
        switch self {
        case .null, .bool, .integer, .number: []
        case .string(let text): text.contains("{{") ? [path] : []
        case .array(let elements):
            elements.enumerated().flatMap { $1.templates(at: path + [String($0)]) }
        case .object(let object):
            object.members.flatMap { $0.value.templates(at: path + [$0.key]) }
        }
    }
}

extension Diagnostic {
    fileprivate static func listWithoutKeys(at span: SourceSpan?) -> Diagnostic {
        Diagnostic(
            rule: .encryptedMessage,
            message: "the list has no keys to encrypt with",
            span: span,
            label: "needs the key of each recipient",
            help: ["name the column of the keys: `registrations: { file: …, public_key: COLUMN }`"]
        )
    }

    fileprivate static func readableValue(in text: String, at span: SourceSpan?) -> Diagnostic {
        Diagnostic(
            rule: .encryptedMessage,
            message: "the placeholder would contain values of the list",
            span: span,
            label: "is readable for FCM and the platforms",
            help: ["write a text that is the same for all recipients"]
        )
    }

    fileprivate static func withoutPlaceholder(at span: SourceSpan?) -> Diagnostic {
        Diagnostic(
            rule: .encryptedMessage,
            message: "a notification is readable for FCM and the platforms",
            span: span,
            label: "would be shown without decryption",
            help: [
                "move its text to `data`, or show another text until the app has decrypted the "
                    + "message: `encrypt: { placeholder: { title: … } }`"
            ]
        )
    }

    fileprivate static func needlessPlaceholder(at span: SourceSpan?) -> Diagnostic {
        Diagnostic(
            rule: .encryptedMessage,
            message: "the placeholder stands for no notification",
            span: span,
            label: "is shown until the app shows the message's `notification`",
            help: ["add a `notification` to the message, or remove the placeholder"]
        )
    }

    fileprivate static func nothingToEncrypt(at span: SourceSpan?) -> Diagnostic {
        Diagnostic(
            rule: .encryptedMessage,
            message: "the message has no `data` to encrypt",
            span: span,
            label: "encrypts nothing",
            help: ["add `data` to the message, or remove `encrypt`"]
        )
    }

    fileprivate static func readableText(_ path: [String], at span: SourceSpan?) -> Diagnostic {
        Diagnostic(
            rule: .encryptedMessage,
            message: "`\(path.joined(separator: "."))` is not encrypted",
            span: span,
            label: "is readable for FCM and the platforms",
            help: ["move it to `data` or `notification` of the message, which are encrypted"]
        )
    }
}
