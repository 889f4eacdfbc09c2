package import JSON
package import Time

/// A message with its audience, delivery and schedule.
///
/// It is an immutable class, because campaigns are large and every stage passes them on.
package final class Campaign: Sendable {
    package let id: CampaignID
    package let about: String?
    package let owner: String?
    package let target: AudienceTarget
    /// The `audience:` document that the campaign names, if any.
    package let audience: AudienceID?
    /// The `audience:` documents whose lists are left out; the target's list contains none of their
    /// rows.
    package let excluded: [AudienceID]
    package let content: MessageContent
    package let delivery: Delivery
    /// If the campaign follows the time zones of its recipients: the schedule of recipients without
    /// a zone.
    package let schedule: Schedule
    package let division: SlotDivision
    package let timeliness: LatePolicy
    /// Of sends with the same due time, the higher goes first.
    package let priority: Int
    /// The author raises it to send again on purpose; the first is 1.
    package let revision: Int
    /// The campaign's previous name when it was sent.
    package let formerID: CampaignID?
    package let labels: [String: String]
    /// The name of its experiment, if that is not the campaign's.
    package let experiment: CampaignID?
    /// Empty, or at least two.
    package let variants: [Variant]
    /// The texts of `locales`, in the order of the file; `*` is not among them.
    package let localizations: [Localization]
    /// Whether recipients get the campaign's own text if no localization covers their locale: the
    /// key `*` of `locales`.
    package let coversOtherLocales: Bool
    package let policy: SendingPolicy
    /// How each recipient's message is encrypted; nil if it is sent in the clear.
    package let encryption: MessageEncryption?

    package init(
        id: CampaignID,
        about: String?,
        owner: String?,
        target: AudienceTarget,
        audience: AudienceID?,
        excluded: [AudienceID] = [],
        content: MessageContent,
        delivery: Delivery,
        schedule: Schedule,
        division: SlotDivision = .shared,
        timeliness: LatePolicy = .standard,
        priority: Int = 0,
        revision: Int = 1,
        formerID: CampaignID? = nil,
        labels: [String: String] = [:],
        experiment: CampaignID? = nil,
        variants: [Variant] = [],
        localizations: [Localization] = [],
        coversOtherLocales: Bool = false,
        policy: SendingPolicy = .unspecified,
        encryption: MessageEncryption? = nil
    ) {
        self.id = id
        self.about = about
        self.owner = owner
        self.target = target
        self.audience = audience
        self.excluded = excluded
        self.content = content
        self.delivery = delivery
        self.schedule = schedule
        self.division = division
        self.timeliness = timeliness
        self.priority = priority
        self.revision = revision
        self.formerID = formerID
        self.labels = labels
        self.experiment = experiment
        self.variants = variants
        self.localizations = localizations
        self.coversOtherLocales = coversOtherLocales
        self.policy = policy
        self.encryption = encryption
    }

    /// Every message that the campaign may send: its own, then those of variants and languages.
    package var contents: [MessageContent] {
        if variants.isEmpty, localizations.isEmpty { return [content] }
        return [content] + variants.map(\.content) + localizations.map(\.content)
    }

    /// The occurrence of a campaign that has only one; nil for a rule, and if there is one per time
    /// zone.
    package var onlyOccurrence: OccurrenceID? {
        if case .repeating = schedule { return nil }
        return switch division {
        case .shared: occurrence(.once)
        case .zone(let name): occurrence(.once(in: name))
        case .value(let slot): occurrence(slot)
        case .perZone, .perValue: nil
        }
    }

    /// The occurrence of a rule's local time.
    package func occurrence(at local: CivilDateTime) -> OccurrenceID {
        occurrence(Slot(local, in: division.part))
    }

    private func occurrence(_ slot: Slot) -> OccurrenceID {
        OccurrenceID(campaign: id, slot: slot, revision: revision)
    }

    /// Returns the campaign with another message, which all recipients get.
    package func saying(_ content: MessageContent) -> Campaign {
        Campaign(
            id: id,
            about: about,
            owner: owner,
            target: target,
            audience: audience,
            excluded: excluded,
            content: content,
            delivery: delivery,
            schedule: schedule,
            division: division,
            timeliness: timeliness,
            priority: priority,
            revision: revision,
            formerID: formerID,
            labels: labels,
            policy: policy,
            encryption: encryption
        )
    }
}

extension Campaign {
    /// The audience that the campaign names and those whose lists form its list, each once.
    package var addressedAudiences: [AudienceID] {
        var names = [audience].compactMap(\.self)
        guard case .registrations(let list) = target else { return names }
        for name in list.combinedAudiences where !names.contains(name) { names.append(name) }
        return names
    }

    /// Chooses a text by the locale of a recipient; nil if all recipients get the own text.
    package var localeLookup: LocaleLookup? {
        guard !localizations.isEmpty else { return nil }
        let ranges = localizations.map { LocaleRange.locale($0.locale) }
        return LocaleLookup(ranges + (coversOtherLocales ? [.others] : []))
    }

    /// Returns the campaign with the text that recipients with a locale get as its only one, and the
    /// key of `locales` that covers the locale.
    ///
    /// Nil if no text covers the locale. The key is nil for the campaign's own text.
    package func localized(for locale: Locale) -> (campaign: Campaign, key: Locale?)? {
        switch localeLookup?.match(for: locale) {
        case .localization(let key)?:
            localizations.first { $0.locale == key }.map { (saying($0.content), key) }
        case .own?, nil: (saying(content), nil)
        case .uncovered?: nil
        }
    }
}

extension Campaign: Hashable {
    package static func == (left: Campaign, right: Campaign) -> Bool {
        left === right
            || left.id == right.id && left.about == right.about && left.owner == right.owner
                && left.target == right.target && left.audience == right.audience
                && left.excluded == right.excluded && left.content == right.content
                && left.delivery == right.delivery && left.schedule == right.schedule
                && left.division == right.division && left.timeliness == right.timeliness
                && left.priority == right.priority
                && left.revision == right.revision && left.formerID == right.formerID
                && left.labels == right.labels && left.experiment == right.experiment
                && left.variants == right.variants
                && left.localizations == right.localizations
                && left.coversOtherLocales == right.coversOtherLocales
                && left.policy == right.policy && left.encryption == right.encryption
    }

    package func hash(into hasher: inout Hasher) { hasher.combine(id) }
}

/// The author's content of `message:`, with the field names of the v1 API and in the author's
/// order.
///
/// `CampaignMessages` converts it to the platforms' messages.
package struct MessageContent: Hashable, Sendable {
    package let fields: JSONObject

    package init(fields: JSONObject) {
        self.fields = fields
    }

    /// Returns the value at a path, such as `["android", "notification", "tag"]`.
    package func value(at path: [String]) -> JSONValue? {
        var value = JSONValue.object(fields)
        for key in path {
            guard let next = value[key] else { return nil }
            value = next
        }
        return value
    }
}
