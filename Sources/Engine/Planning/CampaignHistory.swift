import CampaignMessages
import CampaignModel
import State
import JSON
import RegistrationLists
import Time

/// A campaign beside what the state knows of it.
struct CampaignHistory {
    let campaign: Campaign
    let lowering: DeliveryLowering
    /// As the campaign is in the files now.
    private(set) var content: CampaignDefinition
    /// Whether the content is another than the recorded one: both are large, and it is asked often.
    private(set) var isChanged: Bool
    let recorded: CampaignDefinition?
    /// By moment, then by name.
    let records: [OccurrenceRecord]
    /// Of the campaign or of everything; nothing is sent under it.
    let pause: Pause?

    /// `list`: what the campaign's list holds, where it has one that can be read.
    init(
        _ campaign: Campaign,
        _ applied: AppliedState,
        _ records: [OccurrenceRecord],
        list: ListSurvey?
    ) {
        self.campaign = campaign
        lowering = DeliveryLowering(campaign)
        content = CampaignDefinition(
            campaign: campaign.id,
            content: campaign.definitionContent(lowering.template.withoutKey, list: list),
            slotsAfter: nil
        )
        recorded = applied.definitions[campaign.id]
        isChanged = recorded?.content != content.content
        self.records = records.sorted { ($0.due, $0.id) < ($1.due, $1.id) }
        pause = applied.pauses.first {
            $0.scope == .everything || $0.scope == .campaign(campaign.id)
        }
    }

    /// Takes from the recorded definition what decides nothing any more.
    mutating func keepRecorded(_ members: [String]) {
        guard let recorded, var object = content.content.objectValue else { return }
        for key in members { object[key] = recorded.content[key] }
        content = CampaignDefinition(
            campaign: campaign.id,
            content: .object(object),
            slotsAfter: content.slotsAfter
        )
        isChanged = recorded.content != content.content
    }

    var changes: [FieldChange] {
        recorded.map { FieldChange.changes(from: $0.content, to: content.content) } ?? []
    }

    /// The sendings that began and have not ended.
    var underWay: [OccurrenceRecord] { records.filter { $0.status == .dispatching } }

    var scheduled: [OccurrenceRecord] { records.filter { $0.status == .scheduled } }

    /// The highest revision of which a slot was sent or missed.
    func lastRevision(of slot: Slot) -> Int? {
        records.filter { $0.id.slot == slot && $0.happened }.map(\.id.revision).max()
    }

    func record(_ id: OccurrenceID) -> OccurrenceRecord? { records.first { $0.id == id } }
}

extension OccurrenceRecord {
    /// It was sent at least in part, or its time passed: it does not happen again by itself.
    var happened: Bool {
        switch status {
        case .scheduled: false
        case .cancelled: unit != nil
        case .dispatching, .finished, .expired: true
        }
    }

    var isOpen: Bool { status == .scheduled || status == .dispatching }
}
