import CampaignMessages
import CampaignModel
import JSON
import RegistrationLists
import State
import Time

/// A campaign together with its recorded state.
struct CampaignHistory {
    let campaign: Campaign
    let lowering: DeliveryLowering
    /// The message in all languages.
    let template: MessageTemplate
    /// The campaign's current content in the files.
    let content: CampaignDefinition
    /// Whether the content differs from the recorded one; stored, because both are large and it is
    /// read often.
    let isChanged: Bool
    let recorded: CampaignDefinition?
    /// Sorted by due time, then by name.
    let records: [OccurrenceRecord]
    /// The pause of this campaign or of everything; nothing is sent while it lasts.
    let pause: Pause?
    /// Whether the campaign has recipients in the zone of this part for the first time.
    let isNewPart: Bool
    /// The highest revision that was sent once while other recipients shared its occurrences: all,
    /// those of a zone, or those with a time.
    let sentOtherwise: Int?

    /// Creates the history.
    ///
    /// `list`: the content of the campaign's list, if it has one that can be read. `zones`: the
    /// zones of its recipients, if each has its own occurrences.
    init(
        of campaign: Campaign,
        applied: AppliedState,
        records: [OccurrenceRecord],
        list: JSONValue?,
        zones: JSONValue? = nil
    ) {
        self.campaign = campaign
        lowering = DeliveryLowering(campaign)
        template = MessageTemplate(of: campaign, lowered: lowering)
        content = CampaignDefinition(
            campaign: campaign.id,
            content: campaign.definitionContent(
                template.withoutKey,
                list: list,
                zones: zones
            ),
            slotsAfter: nil
        )
        recorded = applied.definitions[campaign.id]
        isChanged = recorded?.content != content.content
        self.records = records.sorted { ($0.due, $0.id) < ($1.due, $1.id) }
        pause = applied.pauses.first {
            $0.scope == .everything || $0.scope == .campaign(campaign.id)
        }
        isNewPart = false
        let division = SlotDivision.Kind(campaign.division)
        sentOtherwise =
            records.filter { record in
                let kind = record.id.slot.divisionOnce
                return record.happened && kind != nil && kind != division
            }.map(\.id.revision).max()
    }

    private init(
        _ history: CampaignHistory,
        content: CampaignDefinition,
        mustRecord: Bool = false
    ) {
        campaign = history.campaign
        lowering = history.lowering
        template = history.template
        self.content = content
        isChanged = mustRecord || history.recorded?.content != content.content
        recorded = history.recorded
        records = history.records
        pause = history.pause
        isNewPart = history.isNewPart
        sentOtherwise = history.sentOtherwise
    }

    private init(
        _ history: CampaignHistory,
        part: Campaign,
        records: [OccurrenceRecord],
        isNew: Bool
    ) {
        campaign = part
        let isSame = part.delivery.expires == history.campaign.delivery.expires
        lowering = isSame ? history.lowering : DeliveryLowering(part)
        template = isSame ? history.template : MessageTemplate(of: part, lowered: lowering)
        content = history.content
        isChanged = history.isChanged
        recorded = history.recorded
        self.records = records
        pause = history.pause
        isNewPart = isNew
        sentOtherwise = history.sentOtherwise
    }

    /// Returns a part of the campaign with its records.
    func part(
        _ part: Campaign,
        records: [OccurrenceRecord],
        isNew: Bool = false
    ) -> CampaignHistory {
        CampaignHistory(self, part: part, records: records, isNew: isNew)
    }

    /// Replaces members that no longer have an effect with their recorded values.
    func keepingRecorded(_ members: [String]) -> CampaignHistory {
        guard let recorded, var object = content.content.objectValue else { return self }
        for key in members { object[key] = recorded.content[key] }
        return CampaignHistory(
            self,
            content: CampaignDefinition(
                campaign: campaign.id,
                content: .object(object),
                slotsAfter: content.slotsAfter
            )
        )
    }

    /// The campaign as it is recorded: nothing has changed.
    func asRecorded() -> CampaignHistory {
        recorded.map { CampaignHistory(self, content: $0) } ?? self
    }

    /// Treats the campaign as changed, so that its definition is recorded again.
    func recordedAgain() -> CampaignHistory {
        CampaignHistory(self, content: content, mustRecord: true)
    }

    /// Whether a run without the files could not send what is scheduled or handed over.
    ///
    /// `handsOver`: whether an apply hands over what is due. `requiresReview`: whether only reviewed
    /// definitions may be sent.
    func lacksSending(handsOver: Bool, requiresReview: Bool) -> Bool {
        let isRule = campaign.onlyOccurrence == nil
        let isToBeSent = !scheduled.isEmpty || handsOver && isUnsent
        guard let recorded, isRule || isToBeSent, AppliedCampaign.isStorable(campaign) else {
            return false
        }
        guard let sending = recorded.sending else { return true }
        guard isToBeSent else { return false }
        if case .registrations(let list) = campaign.target, !list.isReadAtSend, sending.list == nil
        {
            return true
        }
        return requiresReview && !sending.isReviewed
    }

    /// Whether the only occurrence is neither sent nor in progress, and its time has not passed.
    private var isUnsent: Bool {
        guard let only = campaign.onlyOccurrence, !wasSentOtherwise else { return false }
        return lastRevision(of: only.slot).map { $0 < only.revision } ?? true
    }

    var changes: [FieldChange] {
        recorded.map { FieldChange.changes(from: $0.content, to: content.content) } ?? []
    }

    /// The occurrences that are being sent.
    var underWay: [OccurrenceRecord] { records.filter { $0.status == .dispatching } }

    var scheduled: [OccurrenceRecord] { records.filter { $0.status == .scheduled } }

    /// Whether this revision was sent once while other recipients shared its occurrences.
    ///
    /// It is not sent again, because nothing tells which of them got it.
    var wasSentOtherwise: Bool { sentOtherwise.map { $0 >= campaign.revision } ?? false }

    /// Returns the highest revision in which a slot was sent or missed.
    func lastRevision(of slot: Slot) -> Int? {
        records.filter { $0.id.slot == slot && $0.happened }.map(\.id.revision).max()
    }

    /// The highest lower revision of the campaign's only occurrence that was sent at least in part.
    var sentBefore: SentRevision? {
        guard let only = campaign.onlyOccurrence else { return nil }
        let sent = records.filter { record in
            record.id.slot == only.slot && record.id.revision < only.revision && record.wasSent
        }
        return sent.max { $0.id.revision < $1.id.revision }.map { record in
            SentRevision(
                revision: record.id.revision,
                message: record.message.flatMap(MessageTemplate.init(stored:))
            )
        }
    }

    /// The due time of a scheduled occurrence, if it was computed from the current schedule.
    func due(of record: OccurrenceRecord?) -> Instant? {
        guard let record, record.status == .scheduled, keepsSchedule else { return nil }
        return record.due
    }

    /// Whether the recorded campaign has the same schedule.
    var keepsSchedule: Bool {
        guard let recorded = recorded?.content else { return false }
        return ["schedule", "timezone"].allSatisfy { recorded[$0] == content.content[$0] }
    }

    /// The highest local time of a rule's slot that happened; nil if none did.
    var lastSlot: CivilDateTime? {
        records.filter(\.happened).compactMap(\.id.slot.local).max()
    }

    func record(_ id: OccurrenceID) -> OccurrenceRecord? { records.first { $0.id == id } }
}

extension OccurrenceRecord {
    /// Whether the occurrence was sent at least in part, or its time has passed; it is then never
    /// repeated automatically.
    var happened: Bool {
        switch status {
        case .scheduled: false
        case .cancelled: unit != nil
        case .dispatching, .finished, .expired: true
        }
    }

    /// Whether at least a part was sent.
    fileprivate var wasSent: Bool { status == .finished || status == .dispatching || unit != nil }

    var isOpen: Bool { status == .scheduled || status == .dispatching }
}
