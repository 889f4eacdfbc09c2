package import CampaignModel
import JSON
import RegistrationLists
package import State
import Time

/// A campaign in the form that the state stores, so that it can be sent without its files.
///
/// It contains everything that decides what is sent, to which recipients, and when. Owner, labels
/// and description are not stored.
package enum AppliedCampaign {
    /// Whether the state may store the campaign: the token of a Live Activity is a secret.
    static func isStorable(_ campaign: Campaign) -> Bool {
        campaign.contents.allSatisfy { $0.value(at: ["apns", "live_activity_token"]) == nil }
    }

    /// Nil if the state may not store the campaign.
    ///
    /// `audiences`: those of the project. `recipients`: their time zones, if quiet hours or the
    /// schedule need them.
    static func stored(
        _ campaign: Campaign,
        among audiences: [Audience],
        recipients: RecipientZones? = nil
    ) -> JSONValue? {
        guard isStorable(campaign) else { return nil }
        var stored: JSONObject = [
            "target": campaign.target.stored,
            "message": .object(campaign.content.fields),
            "delivery": campaign.delivery.stored,
            "schedule": campaign.schedule.stored,
            "late": campaign.timeliness.stored,
            "priority": .integer(Int64(campaign.priority)),
            "revision": .integer(Int64(campaign.revision)),
            "policy": campaign.policy.stored,
        ]
        stored["audience"] = campaign.audience.map { .string($0.rawValue) }
        campaign.division.store(in: &stored)
        stored["recipient_zones"] = recipients?.stored
        if campaign.target.isReadAtSend {
            let audience = audiences.first { $0.id == campaign.audience }
            stored["list"] = audience?.stored
        }
        if !campaign.localizations.isEmpty {
            let members = campaign.localizations.map {
                JSONObject.Member(key: $0.locale.tag, value: .object($0.content.fields))
            }
            stored["locales"] = .object(JSONObject(members))
            stored["other_locales"] = .bool(campaign.coversOtherLocales)
        }
        stored["encryption"] = campaign.encryption?.stored
        stored["experiment"] = campaign.experiment.map { .string($0.rawValue) }
        if !campaign.variants.isEmpty {
            stored["variants"] = .array(campaign.variants.map(\.stored))
        }
        return .object(stored)
    }

    /// The audience of a definition's campaign whose list is read when the send begins; nil if it
    /// has none.
    static func audience(of campaign: Campaign, in definition: CampaignDefinition) -> Audience? {
        guard case .registrations(let list) = campaign.target, list.isReadAtSend,
            let id = campaign.audience, let stored = definition.sending?.campaign["list"]
        else { return nil }
        return Audience(id, of: list, stored: stored)
    }

    /// What a recall of a definition's campaign shows; nil if its author did not write it, or if it is not
    /// stored.
    package static func recallMessage(of definition: CampaignDefinition) -> RecallMessage? {
        definition.sending?.campaign["policy"]?["recall"].flatMap(RecallMessage.init(stored:))
    }

    /// The time zones of the recipients of a definition's campaign; nil if they are not recorded.
    static func recipients(
        of definition: CampaignDefinition,
        zones: TimeZoneDatabase
    ) -> RecipientZones? {
        definition.sending?.campaign["recipient_zones"]
            .flatMap { RecipientZones(stored: $0, in: zones) }
    }

    /// Reads a definition's campaign; local times get their instants from the current rules of
    /// their zones.
    ///
    /// Nil if the definition has none, or if it is unreadable.
    static func campaign(
        of definition: CampaignDefinition,
        zones: TimeZoneDatabase
    ) -> Campaign? {
        guard let stored = definition.sending?.campaign,
            let target = stored["target"].flatMap(AudienceTarget.init(stored:)),
            let fields = stored["message"]?.objectValue,
            let delivery = stored["delivery"].flatMap({ Delivery(stored: $0, zones: zones) }),
            let schedule = stored["schedule"].flatMap({ Schedule(stored: $0, zones: zones) }),
            let late = stored["late"].flatMap(LatePolicy.init(stored:)),
            let priority = stored["priority"]?.integerValue,
            let revision = stored["revision"]?.integerValue,
            let policy = stored["policy"].flatMap(SendingPolicy.init(stored:))
        else { return nil }
        var localizations: [Localization] = []
        for member in stored["locales"]?.objectValue?.members ?? [] {
            guard let locale = Locale(member.key), let fields = member.value.objectValue else {
                return nil
            }
            let content = MessageContent(fields: fields)
            localizations.append(Localization(locale: locale, content: content))
        }
        var variants: [Variant] = []
        for stored in stored["variants"]?.arrayValue ?? [] {
            guard let variant = Variant(stored: stored) else { return nil }
            variants.append(variant)
        }
        let encryption = stored["encryption"].map(MessageEncryption.init(stored:))
        if case .some(nil) = encryption { return nil }
        return Campaign(
            id: definition.campaign,
            about: nil,
            owner: nil,
            target: target,
            audience: stored["audience"]?.stringValue.flatMap { AudienceID($0) },
            content: MessageContent(fields: fields),
            delivery: delivery,
            schedule: schedule,
            division: SlotDivision(stored: stored),
            timeliness: late,
            priority: Int(priority),
            revision: Int(revision),
            experiment: stored["experiment"]?.stringValue.flatMap { CampaignID($0) },
            variants: variants,
            localizations: localizations,
            coversOtherLocales: stored["other_locales"]?.boolValue ?? false,
            policy: policy,
            encryption: encryption ?? nil
        )
    }
}

extension AudienceTarget {
    fileprivate var stored: JSONValue {
        switch self {
        case .topic(let topic): ["topic": .string(topic.name)]
        case .condition(let condition): ["condition": .string(condition.text)]
        case .group(let name): ["group": .string(name.text)]
        case .registrations(let list): list.stored
        }
    }

    /// A list that was read is in the state; its path is only its name here.
    fileprivate init?(stored: JSONValue) {
        if let topic = stored["topic"]?.stringValue.flatMap({ Topic($0) }) {
            self = .topic(topic)
        } else if let text = stored["condition"]?.stringValue,
            let condition = try? Condition(parsing: text)
        {
            self = .condition(condition)
        } else if let name = stored["group"]?.stringValue.flatMap(DeviceGroupName.init) {
            self = .group(name)
        } else if let path = stored["list"]?.stringValue,
            let kind = stored["kind"]?.stringValue.flatMap(RegistrationFile.Kind.init),
            let reading = stored["read"]?.stringValue.flatMap(RegistrationFile.Reading.init)
        {
            if let definition = stored["definition"] {
                guard let list = RegistrationList(definition: definition) else { return nil }
                self = .registrations(list)
                return
            }
            guard reading == .atApply else { return nil }
            let file = RegistrationFile(
                path: path,
                format: .text,
                kind: kind,
                column: nil,
                identity: stored["identity"]?.stringValue,
                reading: reading,
                timeZone: stored["timezone"]?.stringValue
            )
            self = .registrations(.described(file))
        } else {
            return nil
        }
    }
}

extension RegistrationList {
    fileprivate var stored: JSONValue {
        var stored: JSONObject = [
            "list": .string(path ?? "inline"), "kind": .string(kind.rawValue),
            "read": .string(reading.rawValue),
        ]
        stored["identity"] = peopleColumns.identity.map(JSONValue.string)
        stored["timezone"] = peopleColumns.timeZone.map(JSONValue.string)
        if isReadAtSend { stored["definition"] = definition }
        return .object(stored)
    }
}

extension Delivery {
    fileprivate var stored: JSONValue {
        var stored = JSONObject()
        stored["ttl"] = timeToLive.map { .integer($0.seconds) }
        stored["expires"] = expires?.stored
        stored["priority"] = priority.map { .string($0.rawValue) }
        stored["collapse"] = collapse.map { .string($0.text) }
        return .object(stored)
    }

    fileprivate init?(stored: JSONValue, zones: TimeZoneDatabase) {
        let expires = stored["expires"].map { ScheduledMoment(stored: $0, zones: zones) }
        if case .some(nil) = expires { return nil }
        self.init(
            timeToLive: stored["ttl"]?.integerValue.flatMap(TimeToLive.init(seconds:)),
            expires: expires ?? nil,
            priority: stored["priority"]?.stringValue.flatMap(Priority.init),
            collapse: stored["collapse"]?.stringValue.flatMap { CollapseKey($0) }
        )
    }
}

extension ScheduledMoment {
    fileprivate var stored: JSONValue {
        ["local": .string(local.description), "zone": .string(zone)]
    }

    fileprivate init?(stored: JSONValue, zones: TimeZoneDatabase) {
        guard let local = stored["local"]?.stringValue.flatMap({ CivilDateTime(parsing: $0) }),
            let zone = stored["zone"]?.stringValue, let rules = try? zones.rules(named: zone)
        else { return nil }
        self.init(local: local, zone: zone, instant: rules.resolve(local).instant)
    }
}

extension Schedule {
    fileprivate var stored: JSONValue {
        switch self {
        case .immediate: [:]
        case .at(let moment): ["at": moment.stored]
        case .repeating(let rule): ["rule": .string(rule.content)]
        }
    }

    fileprivate init?(stored: JSONValue, zones: TimeZoneDatabase) {
        if let at = stored["at"] {
            guard let moment = ScheduledMoment(stored: at, zones: zones) else { return nil }
            self = .at(moment)
        } else if let text = stored["rule"]?.stringValue {
            guard let rule = RepeatingSchedule(recorded: text) else { return nil }
            self = .repeating(rule)
        } else {
            self = .immediate
        }
    }
}

extension LatePolicy {
    fileprivate var stored: JSONValue {
        var stored: JSONObject = ["after": .integer(lateAfter)]
        stored["late"] = late.map { .string($0.rawValue) }
        stored["until"] = until.map { .integer($0.secondsSince1970) }
        stored["quiet_hours"] = reasonInQuietHours.map(JSONValue.string)
        if jitter != 0 { stored["jitter"] = .integer(jitter) }
        return .object(stored)
    }

    fileprivate init?(stored: JSONValue) {
        guard let after = stored["after"]?.integerValue else { return nil }
        self.init(
            late: stored["late"]?.stringValue.flatMap(Late.init),
            lateAfter: after,
            until: stored["until"]?.integerValue.map(Instant.init(secondsSince1970:)),
            reasonInQuietHours: stored["quiet_hours"]?.stringValue,
            jitter: stored["jitter"]?.integerValue ?? 0
        )
    }
}

extension Variant {
    fileprivate var stored: JSONValue {
        [
            "name": .string(id.rawValue), "weight": .integer(Int64(weight)),
            "message": .object(content.fields),
        ]
    }

    fileprivate init?(stored: JSONValue) {
        guard let id = stored["name"]?.stringValue.flatMap({ Identifier<Variant>($0) }),
            let weight = stored["weight"]?.integerValue,
            let fields = stored["message"]?.objectValue
        else { return nil }
        self.init(id: id, weight: Int(weight), content: MessageContent(fields: fields))
    }
}

extension MessageEncryption {
    fileprivate var stored: JSONValue {
        var stored: JSONObject = ["project": .string(project)]
        stored["title"] = placeholder.map { .string($0.title) }
        stored["body"] = placeholder?.body.map(JSONValue.string)
        return .object(stored)
    }

    fileprivate init?(stored: JSONValue) {
        guard let project = stored["project"]?.stringValue else { return nil }
        self.init(
            project: project,
            placeholder: stored["title"]?.stringValue.map {
                Placeholder(title: $0, body: stored["body"]?.stringValue)
            }
        )
    }
}

extension SendingPolicy {
    fileprivate var stored: JSONValue {
        var stored: JSONObject = ["record": .string(record.rawValue)]
        stored["on_unknown"] = onUnknown.map { .string($0.rawValue) }
        stored["acknowledge"] = acknowledgement?.stored
        stored["rollout"] = rollout?.stored
        stored["holdout"] = holdOut.map { .string($0.description) }
        stored["cap_exempt"] = reasonAboveCap.map(JSONValue.string)
        stored["objective"] = objective.map { .string($0.description) }
        stored["recall"] = recall?.stored
        return .object(stored)
    }

    fileprivate init?(stored: JSONValue) {
        guard let record = stored["record"]?.stringValue.flatMap(Record.init) else { return nil }
        self.init(
            onUnknown: stored["on_unknown"]?.stringValue.flatMap(OnUnknown.init),
            rollout: stored["rollout"].flatMap(Rollout.init(stored:)),
            acknowledgement: stored["acknowledge"].flatMap(Acknowledgement.init(stored:)),
            holdOut: stored["holdout"]?.stringValue.flatMap { Percentage($0) },
            record: record,
            reasonAboveCap: stored["cap_exempt"]?.stringValue,
            objective: stored["objective"]?.stringValue.flatMap { Objective($0) },
            recall: stored["recall"].flatMap(RecallMessage.init(stored:))
        )
    }
}

extension Acknowledgement {
    fileprivate var stored: JSONValue {
        var stored: JSONObject = ["reason": .string(reason)]
        stored["reach"] = reach.map { .integer(Int64($0)) }
        stored["dead"] = dead.map { .string($0.description) }
        stored["change"] = change.map { .integer(Int64($0)) }
        return .object(stored)
    }

    fileprivate init?(stored: JSONValue) {
        guard let reason = stored["reason"]?.stringValue else { return nil }
        self.init(
            reach: stored["reach"]?.integerValue.map { Int($0) },
            dead: stored["dead"]?.stringValue.flatMap { Percentage($0) },
            change: stored["change"]?.integerValue.map { Int($0) },
            reason: reason
        )
    }
}
