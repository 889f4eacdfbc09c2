package import CampaignMessages
package import CampaignModel
package import JSON
package import RegistrationLists
package import State
package import Time

/// The action for one campaign, or for one of its occurrences.
package struct CampaignAction: Hashable, Sendable {
    package let campaign: CampaignID
    package let step: CampaignStep
    /// The definition to record; nil if the campaign was removed or its definition is unchanged.
    package let definition: CampaignDefinition?
    /// Fields that differ from the last recorded definition.
    package let changes: [FieldChange]
    /// The campaign's recipients and message in the files; nil if it was removed.
    package let audience: PlannedAudience?
    package let template: MessageTemplate?
    /// The number of registrations for each text; empty without `locales`.
    package let texts: [PlannedText]
    /// The time from which the rule makes slots, if only that time changes and the definition
    /// stays.
    package let slotsAfter: Instant?
    /// How the set is formed that the campaign addresses in the files; nil for other targets.
    package let composition: ListComposition?
    /// The content of the last recorded definition; nil if there is none or it is unchanged.
    package let recorded: JSONValue?
    private let declared: Indirect<Declared>

    /// The campaign in the files, or its part for the recipients in one time zone or with one time;
    /// nil if it was removed.
    package var source: Campaign? { declared.value.campaign }
    /// The author's description of a campaign, a correction or a rule; nil if it was removed.
    package var about: String? { declared.value.about ?? source?.about }
    /// How the text differs from row to row; nil if it does not, or if the send has started.
    package var personal: PersonalText? { declared.value.personal }
    /// The last revision of the only occurrence that was sent before this one; nil if there is none.
    package var sentBefore: SentRevision? { declared.value.sentBefore }
    /// The pause of the campaign or of everything, if the step schedules a send or misses a due time.
    package var pause: Pause? { declared.value.pause }
    /// The list to store with the definition; nil if there is none.
    package var scheduledList: ScheduledList? { declared.value.scheduledList }

    /// The zone or time of the recipients whose occurrences the action changes; nil if all share
    /// them.
    package var zone: PlannedZone? { declared.value.zone }

    /// The parts of an unchanged campaign with one occurrence per zone; empty for other actions.
    package var parts: [PartTimes] { declared.value.parts }

    /// The number of registrations that get no message, because their rows have no time.
    package var withoutTime: Int { declared.value.withoutTime }

    /// When the campaign's sends are due; nil if it was removed.
    package var times: DueTimes? { declared.value.times }

    private struct Declared: Hashable, Sendable {
        let campaign: Campaign?
        let about: String?
        let personal: PersonalText?
        let sentBefore: SentRevision?
        let pause: Pause?
        let scheduledList: ScheduledList?
        let times: DueTimes?
        let zone: PlannedZone?
        let parts: [PartTimes]
        let withoutTime: Int
    }

    init(
        campaign: CampaignID,
        step: CampaignStep,
        definition: CampaignDefinition? = nil,
        changes: [FieldChange] = [],
        audience: PlannedAudience? = nil,
        template: MessageTemplate? = nil,
        texts: [PlannedText] = [],
        slotsAfter: Instant? = nil,
        source: Campaign? = nil,
        about: String? = nil,
        zone: PlannedZone? = nil,
        parts: [PartTimes] = [],
        withoutTime: Int = 0,
        composition: ListComposition? = nil,
        recorded: JSONValue? = nil,
        scheduledList: ScheduledList? = nil,
        personal: PersonalText? = nil,
        sentBefore: SentRevision? = nil,
        pause: Pause? = nil,
        times: DueTimes? = nil
    ) {
        self.campaign = campaign
        self.step = step
        self.definition = definition
        self.changes = changes
        self.audience = audience
        self.template = template
        self.texts = texts
        self.slotsAfter = slotsAfter
        self.composition = composition
        self.recorded = recorded
        declared = Indirect(
            Declared(
                campaign: source,
                about: about,
                personal: personal,
                sentBefore: sentBefore,
                pause: pause,
                scheduledList: scheduledList,
                times: times,
                zone: zone,
                parts: parts,
                withoutTime: withoutTime
            )
        )
    }
}

/// A revision of a campaign that was sent at least in part.
package struct SentRevision: Hashable, Sendable {
    package let revision: Int
    /// The message that was sent; nil if it is no longer stored.
    package let message: MessageTemplate?
}

/// A list that the state stores until the last scheduled send to it.
package struct ScheduledList: Hashable, Sendable {
    package let content: ListContent
    package let id: ListID
}

/// A campaign's recipients, for people.
package enum PlannedAudience: Hashable, Sendable {
    /// A topic, with the reach that the project declares.
    case topic(Topic, reach: Int?)
    case condition(String)
    /// The name of an `audience:` or the path of a list; nil for a list inside the campaign.
    ///
    /// `people`: nil if the list does not identify them.
    case list(name: String?, count: Int?, people: Int?)
    /// A list that is read when the send begins, with its name as above.
    case listAtSend(name: String?)
    case group(DeviceGroupName)
}

/// A field whose value differs from the recorded one; nil if it is absent.
package struct FieldChange: Hashable, Sendable {
    package let path: String
    package let before: JSONValue?
    package let after: JSONValue?

    package init(path: String, before: JSONValue?, after: JSONValue?) {
        self.path = path
        self.before = before
        self.after = after
    }
}
