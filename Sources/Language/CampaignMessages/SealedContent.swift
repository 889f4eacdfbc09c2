package import CampaignModel
package import Envelopes
package import FCMWire
package import JSON

/// The part of a message that is encrypted for each recipient.
package struct SealedContent: Hashable, Sendable {
    /// `data` and `notification` as the author wrote them, with placeholders of columns.
    package let clear: JSONObject
    /// Nil until the occurrence is known.
    package let context: EnvelopeContext?
    private let project: String

    init(clear: JSONObject, project: String, context: EnvelopeContext? = nil) {
        self.clear = clear
        self.project = project
        self.context = context
    }

    /// Returns the content of an occurrence's messages.
    func bound(to occurrence: OccurrenceID) -> SealedContent {
        SealedContent(
            clear: clear,
            project: project,
            context: EnvelopeContext(project: project, occurrence: occurrence.description)
        )
    }

    /// The content that is the same for every occurrence.
    var unbound: SealedContent { SealedContent(clear: clear, project: project) }

    /// Stands for the envelope in the fields of a message; no author can write it.
    package static let mark = "\u{1}envelope"
    /// Stands for the context in the fields of a message without occurrence.
    private static let contextMark = "\u{1}context"

    /// The readable `data` of the message.
    static let data: JSONObject = [
        EnvelopeFields.context: .string(contextMark), EnvelopeFields.envelope: .string(mark),
    ]

    /// Returns the message with the context, and with the mark of the envelope.
    func completing(_ message: JSONObject) -> JSONObject {
        guard let context else { return message }
        return message.setting(.string(context.text), at: ["data", EnvelopeFields.context])
    }

    /// Returns the message as people see it.
    func shown(in message: JSONObject) -> JSONObject {
        message
            .setting(
                .string(context?.text ?? "\(project)/CAMPAIGN/SLOT/REVISION"),
                at: ["data", EnvelopeFields.context]
            )
            .setting(.string(Self.shownEnvelope), at: ["data", EnvelopeFields.envelope])
    }

    private static let shownEnvelope = "<encrypted for each recipient>"
}

// MARK: - One message

extension SealedContent {
    /// The fields of the encrypted part, each with its path below `encrypted`.
    package var fields: [(path: [String], value: JSONValue)] {
        clear.members.flatMap { block in
            (block.value.objectValue?.members ?? []).map {
                (path: ["encrypted", block.key, $0.key], value: $0.value)
            }
        }
    }

    /// Returns a message with the envelope of a text without values of a row.
    ///
    /// `key`: the recipient's key.
    ///
    /// - Throws: `.smallOrder`.
    package func sealing(
        _ message: SendRequest,
        for key: EnvelopeKey
    ) throws(EnvelopeKey.Fault) -> SendRequest {
        let envelope = try Envelope(
            sealing: JSONValue.object(clear).compactBytes,
            for: key,
            in: context ?? EnvelopeContext(project: project, occurrence: "")
        )
        return SendRequest(
            message: message.message
                .setting(.string(envelope.context.text), at: ["data", EnvelopeFields.context])
                .setting(.string(envelope.text), at: ["data", EnvelopeFields.envelope])
        )
    }
}

// MARK: - The ledger

extension SealedContent {
    /// The form that the ledger stores; the store encrypts a message that has it.
    var stored: JSONValue {
        .object([
            "clear": .object(clear), "project": .string(project),
            "context": context.map { .string($0.text) } ?? .null,
        ])
    }

    init?(stored: JSONValue) {
        guard let clear = stored["clear"]?.objectValue,
            let project = stored["project"]?.stringValue
        else { return nil }
        self.init(
            clear: clear,
            project: project,
            context: stored["context"]?.stringValue.map { EnvelopeContext(text: $0) }
        )
    }
}

// MARK: - Campaigns

extension Campaign {
    /// The message as FCM and the platforms read it: of an encrypted message, the placeholder, the
    /// fields of the envelope, and the fields that control the delivery.
    package var readableContent: MessageContent {
        guard let encryption else { return content }
        var fields = JSONObject()
        if let placeholder = encryption.placeholder {
            var notification: JSONObject = ["title": .string(placeholder.title)]
            notification["body"] = placeholder.body.map(JSONValue.string)
            fields["notification"] = .object(notification)
        }
        fields["data"] = .object(SealedContent.data)
        for member in content.fields.members
        where !MessageEncryption.encryptedFields.contains(member.key) {
            fields[member.key] = member.value
        }
        guard encryption.placeholder != nil else { return MessageContent(fields: fields) }
        // Lets the app's extension replace the placeholder (Apple documentation, Modifying content
        // in newly delivered notifications).
        return MessageContent(
            fields: fields.setting(.integer(1), at: ["apns", "payload", "aps", "mutable-content"])
        )
    }

    /// The content that is encrypted; nil if the message is sent in the clear.
    var sealedContent: SealedContent? {
        encryption.map { encryption in
            let members = MessageEncryption.encryptedFields.compactMap { name in
                content.fields[name].map { JSONObject.Member(key: name, value: $0) }
            }
            return SealedContent(clear: JSONObject(members), project: encryption.project)
        }
    }

    /// The most bytes of the context of an envelope of this campaign.
    var longestContext: Int {
        guard let encryption else { return 0 }
        // A time with an offset is the longest text of a row's time.
        let local = "2026-11-21T07:30:00+00:00".utf8.count
        // "America/Argentina/ComodRivadavia", the longest name of a time zone, in brackets.
        let zone = 34
        let slot =
            switch division {
            case .shared: onlyOccurrence == nil ? local : Slot.once.text.utf8.count
            case .zone, .value, .perZone, .perValue: local + zone
            }
        return encryption.project.utf8.count + id.rawValue.utf8.count + slot
            + String(revision).utf8.count + 3
    }
}

/// The sizes of the encrypted part of a message.
struct SealedSize: Hashable, Sendable {
    /// The bytes of the clear text as JSON.
    let clear: Int
    /// The most bytes of the context.
    let context: Int

    /// Nil if the message is sent in the clear.
    init?(of campaign: Campaign) {
        guard let sealed = campaign.sealedContent else { return nil }
        clear = JSONValue.object(sealed.clear).compactBytes.count
        context = campaign.longestContext
    }

    /// The bytes of a field's value; nil if the field is readable as it is.
    func bytes(of path: [String]) -> Int? {
        switch path {
        case ["data", EnvelopeFields.context]: context
        case ["data", EnvelopeFields.envelope]: Envelope.length(of: clear)
        default: nil
        }
    }
}
