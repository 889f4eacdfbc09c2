@testable import CampaignLoading

/// One mapping of the language with its keys, from the loader's declarations, and its place in a
/// document.
struct LanguageTable: Sendable {
    enum Document: String, Sendable {
        case project
        case campaign
        case audience
        case devices
        case removed
        case messages
        case upstream
    }

    let document: Document
    /// The keys from the document's root; `*` is a name by the author or an element of a list.
    let place: [String]
    /// The name in messages; tables with the same subject are the same table.
    let subject: String
    let keys: [String]
    let notBuilt: Set<String>

    func stands(at path: some Collection<String>, in document: Document) -> Bool {
        document == self.document && path.count == place.count
            && zip(place, path).allSatisfy { $0 == "*" || $0 == $1 }
    }
}

extension LanguageTable {
    /// The tables that have keys.
    static let all = declared.filter { !$0.keys.isEmpty }
    /// The places of a message's tables in variants, locales, shared messages and replies, and of an
    /// environment's defaults.
    static let patches =
        tables(.campaign, ["variants", "*", "message"], .message)
        + tables(.campaign, ["locales", "*"], .message)
        + tables(.messages, ["messages", "*"], .message)
        + tables(.upstream, ["reply"], .message)
        + [
            table(.messages, "messages * delivery", DeliveryDeclaration.reader),
            table(.project, "environments * defaults", DefaultsDeclaration.reader),
            table(.project, "environments * defaults delivery", DeliveryDeclaration.reader),
        ]

    private static let declared: [LanguageTable] =
        [
            table(.project, "", ProjectDeclaration.reader),
            table(.project, "recall", RecallDeclaration.reader),
            table(.project, "recall notification", RecallTextDeclaration.reader),
            table(.project, "topics *", TopicDeclaration.reader),
            table(.project, "defaults", DefaultsDeclaration.reader),
            table(.project, "defaults delivery", DeliveryDeclaration.reader),
            table(.project, "environments *", EnvironmentDeclaration.reader),
            table(.project, "environments * only", CampaignSelectionDeclaration.reader),
            table(.project, "environments * except", CampaignSelectionDeclaration.reader),
            table(.project, "environments * emulator", EmulatorDeclaration.reader),
            table(.project, "environments * fcm", FCMDeclaration.reader),
            table(.project, "environments * state", StateDeclaration.reader),
            table(.project, "environments * state encryption", EncryptionDeclaration.reader),
            table(.project, "environments * pace", PaceDeclaration.reader),
            table(.project, "environments * guard", GuardDeclaration.reader),
            table(.project, "environments * notify", NotifyDeclaration.reader),
            table(.project, "environments * upstream", UpstreamAccountDeclaration.reader),
            table(.project, "environments * guard quiet_hours", QuietHoursDeclaration.reader),
            table(.project, "environments * guard per_recipient", CapDeclaration.reader),
            table(.project, "environments * guard approvals", ApprovalsDeclaration.reader),
            table(.project, "sources *", SourceDeclaration.reader),
            table(.campaign, "", CampaignDeclaration.reader),
            table(.campaign, "audience", AudienceChoice.reader),
            table(.campaign, "delivery", DeliveryDeclaration.reader),
            table(.campaign, "schedule", ScheduleDeclaration.reader),
            table(.campaign, "variants *", VariantDeclaration.reader),
            table(.campaign, "rollout", RolloutDeclaration.reader),
            table(.campaign, "rollout stop_when", StopWhenDeclaration.reader),
            table(.campaign, "recall", RecallDeclaration.reader),
            table(.campaign, "recall notification", RecallTextDeclaration.reader),
            table(.campaign, "acknowledge", AcknowledgeDeclaration.reader),
            table(.campaign, "encrypt", EncryptDeclaration.reader),
            table(.campaign, "encrypt placeholder", PlaceholderDeclaration.reader),
            table(.campaign, "audience registrations", ListDeclaration.reader),
            table(.audience, "", AudienceDeclaration.reader),
            table(.audience, "registrations", ListDeclaration.reader),
            table(.audience, "acknowledge", ChangeDeclaration.reader),
            table(.audience, "columns *", ColumnDeclaration.reader),
            table(.removed, "", RemovedDeclaration.reader),
            table(.removed, "removed", RemovedAudience.reader),
            table(.removed, "acknowledge", ChangeDeclaration.reader),
            table(.devices, "", DevicesDeclaration.reader),
            table(.devices, "phones *", PhoneDeclaration.reader),
            table(.messages, "", MessagesDeclaration.reader),
            table(.messages, "messages *", SharedMessageDeclaration.reader),
            table(.upstream, "", UpstreamDeclaration.reader),
            table(.upstream, "match", UpstreamMatchDeclaration.reader),
        ] + tables(.campaign, ["message"], .message)
        + tables(.project, ["defaults", "message"], .message)

    private static func table<Owner>(
        _ document: Document,
        _ place: String,
        _ reader: MappingReader<Owner>
    ) -> LanguageTable {
        LanguageTable(
            document: document,
            place: place.split(separator: " ").map(String.init),
            subject: reader.subject,
            keys: reader.keys,
            notBuilt: reader.notBuilt
        )
    }

    /// Returns the tables of a message's fields and of every object in it, without deprecated
    /// fields.
    private static func tables(
        _ document: Document,
        _ place: [String],
        _ fields: MessageFields
    ) -> [LanguageTable] {
        let own = LanguageTable(
            document: document,
            place: place,
            subject: fields.subject,
            keys: fields.fields.filter { $0.deprecation == nil }.map(\.name),
            notBuilt: []
        )
        return fields.fields.reduce(into: [own]) { result, field in
            switch field.shape {
            case .object(let inner), .textOr(let inner):
                result += tables(document, place + [field.name], inner)
            case .list(.object(let inner)):
                result += tables(document, place + [field.name, "*"], inner)
            default: break
            }
        }
    }
}

/// Places with names that the author chooses, or with keys of another format.
///
/// Keys there are not keys of the language, so they cannot be misspelled.
enum AuthorNames {
    /// Places as in `LanguageTable`; `**` is anything at any depth.
    static let places: [(document: LanguageTable.Document, place: String)] = [
        (.project, "topics"),
        (.project, "environments"),
        (.project, "sources"),
        (.project, "rules"),
        (.project, "defaults labels"),
        (.campaign, "labels"),
        (.campaign, "variants"),
        (.campaign, "locales"),
        (.audience, "labels"),
        (.audience, "columns"),
        (.messages, "messages"),
        (.messages, "messages harbour labels"),
        (.messages, "messages harbour data"),
        (.upstream, "match data"),
        (.upstream, "reply data"),
        (.campaign, "message data"),
        (.campaign, "message android data"),
        (.campaign, "message android_v2 data"),
        (.campaign, "message webpush data"),
        (.campaign, "message apns payload tide **"),
        (.campaign, "message apns payload aps content-state **"),
        (.campaign, "message apns payload aps attributes **"),
        (.campaign, "x-ticket **"),
        (.project, "defaults message data"),
        (.project, "defaults message android_v2 data"),
        (.project, "defaults message android data"),
        (.project, "defaults message webpush data"),
    ]

    /// Tables that also accept the author's own keys.
    static let mixedSubjects = [
        "`apns.payload`", "`webpush.notification`", "an action of `webpush.notification`",
    ]

    /// Single keys among those of the language.
    static let keys: [(document: LanguageTable.Document, path: [String])] = [
        (.campaign, ["x-ticket"]),
        (.campaign, ["message", "apns", "payload", "tide"]),
        (.campaign, ["message", "webpush", "notification", "colour"]),
    ]

    static func contain(_ occurrence: KeyOccurrence) -> Bool {
        if keys.contains(where: { $0 == (occurrence.document, occurrence.path) }) { return true }
        let parent = occurrence.path.dropLast()
        return places.contains { document, place in
            let steps = place.split(separator: " ").map(String.init)
            guard document == occurrence.document else { return false }
            guard steps.last == "**" else { return steps.elementsEqual(parent) }
            return parent.starts(with: steps.dropLast())
        }
    }

    /// Whether names have text values, so that a value of another kind is refused.
    static func takeText(_ occurrence: KeyOccurrence) -> Bool {
        occurrence.path.dropLast().last == "data"
    }
}
