import CampaignMessages
import CampaignModel
import FCMWire
import JSON
import Planning
import State
import Time

extension PlanJSON {
    static let campaign = JSONShape(
        "An action on a campaign or one of its occurrences.",
        (actionMembers + sendMembers.reading(\CampaignAction.step)).reading(\ActionGroup.main)
            + requestMembers
            + (waitMembers + missMembers + definitionMembers + correctionMembers).reading(
                \ActionGroup.step
            )
            + campaignMembers
            + zoneMembers
    )

    private static let actionMembers: [JSONMember<CampaignAction>] = [
        .required("campaign", .text, about: "Name of the campaign.") { $0.campaign.rawValue },
        .required(
            "action",
            .openChoice,
            about: "Kind of the action, which determines the other members."
        ) { $0.step.action },
    ]

    private static let sendMembers: [JSONMember<CampaignStep>] = [
        .optional(
            "occurrence",
            .occurrence,
            about:
                "campaign/slot/revision; that of the corrected campaign if the action corrects it.",
            requiredIf: action([
                .send, .handOver, .resume, .lapse, .paused, .held, .schedule, .reschedule, .expire,
                .skip, .unschedule, .stopped, .cancel, .correct,
            ])
        ) { $0.occurrence },
        .optional(
            "was_due",
            .moment,
            about: "Recorded due time.",
            requiredIf: action([.reschedule, .unschedule, .cancel])
        ) { $0.recordedDue },
        .optional(
            "due",
            .moment,
            about: "Due time.",
            requiredIf: action([
                .send, .handOver, .resume, .lapse, .paused, .held, .schedule, .reschedule,
                .redefine,
                .expire, .skip,
            ])
        ) { $0.due },
    ]

    private static let requestMembers: [JSONMember<ActionGroup>] = [
        .optional(
            "requests",
            .nullable(.count),
            about: "Requests that remain; null if the list is read when the send begins.",
            requiredIf: action([.send, .handOver, .resume, .lapse, .paused, .held, .correct])
        ) { group -> Int?? in
            guard group.main.step.send?.target.listAtSend == nil else { return .some(nil) }
            return group.remaining.map(Optional.some)
        }
    ]

    private static let waitMembers: [JSONMember<CampaignStep>] = [
        .optional(
            "deduplication_key",
            .text,
            about: "Key in the message that identifies the occurrence."
        ) { $0.send?.deduplicationKey?.text },
        .optional("paused", .object(pause), requiredIf: action([.paused])) {
            if case .paused(_, let pause) = $0 { pause } else { nil }
        },
        .optional(
            "hold",
            .choice,
            about: "Why a user must check the occurrence.",
            requiredIf: action([.held])
        ) {
            if case .held(_, let hold) = $0 { hold } else { nil }
        },
        .optional(
            "unknown",
            .count,
            about: "Requests with an unknown outcome.",
            requiredIf: action([.stopped, .correct])
        ) { step in
            if case .stopped(_, let unknown) = step { return unknown }
            return step.correction.map { $0.recall.unit.tally[.unknown] + $0.recall.unit.open }
        },
    ]

    private static let missMembers: [JSONMember<CampaignStep>] = [
        .optional("missed", .count, about: "Missed slots.", requiredIf: action([.miss])) {
            $0.missed?.count
        },
        .optional(
            "more_missed",
            .flag,
            about: "Whether more slots may be missed than were counted.",
            requiredIf: action([.miss])
        ) { step in
            step.missed.map { $0.count == MissedSlots.maximumCount }
        },
        .optional(
            "first_due",
            .moment,
            about: "Due time of the first missed slot.",
            requiredIf: action([.miss])
        ) { $0.missed?.first },
        .optional(
            "last_due",
            .moment,
            about: "Due time of the last missed slot.",
            requiredIf: action([.miss])
        ) { $0.missed?.last },
        .optional(
            "fails",
            .flag,
            about: "Whether the missed slots count as a failure.",
            requiredIf: action([.miss])
        ) { $0.missed?.isFailure },
        .optional(
            "occurrences",
            .list(of: .occurrence),
            about: "Missed occurrences that are recorded.",
            requiredIf: action([.miss])
        ) { $0.missed?.occurrences.map(\.occurrence) },
    ]

    private static let definitionMembers: [JSONMember<CampaignStep>] = [
        .optional(
            "revision",
            .integer,
            about: "Revision in the campaign file.",
            requiredIf: action([.lowered])
        ) {
            if case .lowered(let revision, _) = $0 { revision } else { nil }
        },
        .optional(
            "sent_revision",
            .integer,
            about: "Highest revision that was sent.",
            requiredIf: action([.lowered])
        ) {
            if case .lowered(_, let sent) = $0 { sent } else { nil }
        },
        .optional("from", .text, about: "Old name.", requiredIf: action([.rename])) {
            if case .rename(let name) = $0 { name.rawValue } else { nil }
        },
    ]

    private static let campaignMembers: [JSONMember<ActionGroup>] = [
        .optional(
            "audience",
            .object(audience),
            requiredIf: action([.send, .handOver, .schedule, .reschedule, .redefine])
        ) { $0.audience },
        .optional("set", .object(listSet)) { $0.main.composition },
        .optional(
            "message",
            .anyObject,
            about: "FCM message, as recorded if the occurrence has started before.",
            requiredIf: action([
                .send, .handOver, .resume, .lapse, .paused, .held, .schedule, .reschedule,
                .redefine, .correct, .answer,
            ])
        ) { group in
            (group.main.step.send?.template ?? group.main.template).map {
                .object($0.preview.message)
            }
        },
        .optional(
            "encrypted",
            .anyObject,
            about: "Content of `message` that is encrypted for each recipient, with `{{column}}`."
        ) { group in
            (group.main.step.send?.template ?? group.main.template)?.sealed.map {
                .object($0.clear)
            }
        },
        .optional(
            "locales",
            .list(of: .object(text)),
            about: "Texts of a campaign with `locales` or variants; `message` is its own text."
        ) { TextMessage.all(of: $0.main) },
        .optional(
            "held_out",
            .count,
            about:
                "Registrations that receive nothing, for comparison (`holdout`, `global_holdout`)."
        ) { $0.main.texts.first { $0.key == .heldOut }?.count },
        .optional(
            "changes",
            .list(of: .object(change)),
            about: "Fields that differ from the last applied definition.",
            requiredIf: action([.redefine])
        ) { group in
            group.changes.isEmpty || group.main.step.isUnderWay ? nil : group.changes
        },
    ]

    private static let zoneMembers: [JSONMember<ActionGroup>] = [
        .optional(
            "zones",
            .list(of: .object(zone)),
            about: "The same for each time zone or time of the recipients, if the campaign has "
                + "`timezone: recipient` or `at_column`; `occurrence` and `due` are those of the first."
        ) { $0.zones.isEmpty ? nil : $0.zones },
        .optional(
            "without_time",
            .count,
            about: "Registrations without a time in the column of `at_column`."
        ) { $0.main.withoutTime == 0 ? nil : $0.main.withoutTime },
    ]

    private static let zone = JSONShape<CampaignAction>(
        "The occurrence of the recipients in one time zone, or with one time.",
        [
            .required("zone", .text, about: "Time zone, or the slot of the time.") {
                $0.zone?.name ?? ""
            },
            .required(
                "registrations",
                .nullable(.count),
                about: "Registrations of people in it; null if they are not known."
            ) { $0.zone?.count },
            .optional("occurrence", .occurrence, about: "campaign/slot/revision") {
                $0.step.occurrence
            },
            .optional("was_due", .moment, about: "Recorded due time.") { $0.step.recordedDue },
            .optional("due", .moment, about: "Due time.") { $0.step.due },
        ]
    )

    static func action(_ actions: [CampaignStep.Action]) -> JSONCondition {
        JSONCondition("action", isOneOf: actions)
    }
}

// MARK: - Parts

extension PlanJSON {
    private static let pause = JSONShape<Pause>(
        "The pause: its scope, start, user and host.",
        [
            .required("scope", .choice, about: "What is paused.") { $0.scope.kind },
            .required("since", .moment, about: "Start.") { $0.since },
            .required("user", .text, about: "User.") { $0.user },
            .required("host", .text, about: "Host.") { $0.host },
        ]
    )

    private static let audience = JSONShape<PlannedAudience>(
        "The audience of a send: a topic, a condition, a device group or a list.",
        [
            .optional("topic", .text, about: "Topic.") {
                if case .topic(let topic, _) = $0 { topic.name } else { nil }
            },
            .optional("reach", .nullable(.count), about: "Declared reach of the topic.") {
                if case .topic(_, let reach) = $0 { .some(reach) } else { nil }
            },
            .optional("condition", .text, about: "Condition over topics.") {
                if case .condition(let text) = $0 { text } else { nil }
            },
            .optional("group", .text, about: "Device group.") {
                if case .group(let name) = $0 { name.text } else { nil }
            },
            .optional(
                "list",
                .nullable(.text),
                about: "Name of the audience or path of the list; null if in the campaign."
            ) {
                switch $0 {
                case .list(let name, _, _), .listAtSend(let name): .some(name)
                case .topic, .condition, .group: nil
                }
            },
            .optional(
                "read",
                .choice,
                about: "`at_send` if the list is read when the send begins."
            ) {
                if case .listAtSend = $0 { RegistrationFile.Reading.atSend } else { nil }
            },
            .optional(
                "registrations",
                .nullable(.count),
                about: "Size of the list; null if it is not known."
            ) {
                switch $0 {
                case .list(_, let count, _): .some(count)
                case .listAtSend: .some(nil)
                case .topic, .condition, .group: nil
                }
            },
            .optional(
                "people",
                .count,
                about: "Different values of the list's `identity` column."
            ) {
                if case .list(_, _, let people) = $0 { people } else { nil }
            },
        ]
    )

    private static let text = JSONShape<TextMessage>(
        "A text of a campaign with `locales` or variants.",
        [
            .required(
                "locale",
                .nullable(.text),
                about: "Key of `locales`; null for other texts."
            ) { $0.key.locale?.tag },
            .optional("variant", .text, about: "Name of the variant.") {
                $0.key.isVariant ? $0.key.stored : nil
            },
            .required(
                "registrations",
                .nullable(.count),
                about: "Registrations that get it; null if the list is read when the send begins."
            ) { $0.count },
            .required("message", .anyObject, about: "FCM message.") {
                .object($0.template.preview.message)
            },
            .optional(
                "encrypted",
                .anyObject,
                about: "Content that is encrypted for each recipient, with `{{column}}`."
            ) { $0.template.sealed.map { .object($0.clear) } },
        ]
    )

    private static let change = JSONShape<FieldChange>(
        "A field that differs from the last applied definition; null if absent.",
        [
            .required("path", .text, about: "Path of the field.") { $0.path },
            .required("before", .anything, about: "Last applied value.") { $0.before ?? .null },
            .required("after", .anything, about: "Value in the campaign file.") {
                $0.after ?? .null
            },
        ]
    )
}

/// A text of a campaign with `locales` or variants, and its message.
private struct TextMessage {
    let key: TextKey
    /// Nil if it is not known.
    let count: Int?
    let template: MessageTemplate

    /// Nil if all recipients get the campaign's own text.
    static func all(of action: CampaignAction) -> [TextMessage]? {
        guard let template = action.step.send?.template ?? action.template else { return nil }
        if case .listAtSend? = action.audience, !action.step.isUnderWay {
            let others = template.others.map {
                TextMessage(key: $0.key, count: nil, template: $0.template)
            }
            let isOwnSent = !template.others.contains { $0.key.isVariant }
            let own = isOwnSent ? [TextMessage(key: .own, count: nil, template: template)] : []
            return others.isEmpty ? nil : own + others
        }
        guard !template.others.isEmpty else { return nil }
        let texts = action.texts.filter { $0.key != .heldOut }.map { text in
            TextMessage(
                key: text.key,
                count: text.count,
                template: template.text(text.key) ?? template
            )
        }
        return texts.isEmpty ? nil : texts
    }
}

extension PauseScope {
    fileprivate enum Kind: String, CaseIterable {
        case everything
        case campaign
    }

    fileprivate var kind: Kind {
        switch self {
        case .everything: .everything
        case .campaign: .campaign
        }
    }
}
