import CampaignModel
import State
import Time

@testable import Service

/// What a state records about campaigns to topics, in memory.
struct VirtualLedger {
    /// A recorded due time; obsolete if the occurrence has another one, or none.
    private struct Look: Comparable {
        let due: Instant
        let occurrence: OccurrenceID

        static func < (left: Look, right: Look) -> Bool { left.due < right.due }
    }

    private let identity: StateIdentity
    private var definitions: [CampaignID: CampaignDefinition] = [:]
    private var occurrences: [CampaignID: [OccurrenceRecord]] = [:]
    private var scheduled: [OccurrenceID: Instant] = [:]
    private var looks = MinHeap<Look>()

    /// How many records of a campaign are kept; earlier slots are before the time from which the rule
    /// makes slots.
    private static let kept = 16

    init(_ identity: StateIdentity) {
        self.identity = identity
    }

    /// A change that the ledger does not know.
    struct UnknownChange: Error {
        let change: DefinitionChange
    }

    mutating func record(_ changes: [DefinitionChange]) throws {
        for change in changes {
            switch change {
            case .define(let definition): definitions[definition.campaign] = definition
            case .advance(let campaign, let moment): advance(campaign, to: moment)
            case .schedule(let id, let due): set(id, to: .scheduled, due: due)
            case .expire(let id, let due): set(id, to: .expired, due: due)
            case .cancel(let id): end(id, as: .cancelled)
            case .pin: break
            case .retire, .deferRest, .rename, .approvals, .aim: throw UnknownChange(change: change)
            }
        }
    }

    /// Ends a scheduled occurrence.
    mutating func end(_ id: OccurrenceID, as status: OccurrenceStatus) {
        guard let due = scheduled[id] else { return }
        set(id, to: status, due: due)
    }

    private mutating func advance(_ campaign: CampaignID, to moment: Instant) {
        guard let known = definitions[campaign] else { return }
        definitions[campaign] = CampaignDefinition(
            campaign: campaign,
            content: known.content,
            slotsAfter: moment,
            sending: known.sending
        )
    }

    private mutating func set(_ id: OccurrenceID, to status: OccurrenceStatus, due: Instant) {
        var records = occurrences[id.campaign] ?? []
        records.removeAll { $0.id == id }
        records.append(
            OccurrenceRecord(id: id, status: status, due: due, message: nil, unit: nil)
        )
        if records.count > Self.kept,
            let oldest = records.firstIndex(where: { $0.status != .scheduled })
        {
            records.remove(at: oldest)
        }
        occurrences[id.campaign] = records
        scheduled[id] = status == .scheduled ? due : nil
        if status == .scheduled { looks.insert(Look(due: due, occurrence: id)) }
    }

    /// When the next occurrence is due; nil if none is.
    var next: Instant? {
        mutating get {
            while let look = looks.first, scheduled[look.occurrence] != look.due {
                _ = looks.removeFirst()
            }
            return looks.first?.due
        }
    }

    /// Whether an occurrence is still scheduled for a time that has come.
    func isDue(_ id: OccurrenceID, at now: Instant) -> Bool {
        scheduled[id].map { $0 <= now } ?? false
    }

    /// Removes and returns the occurrences that are due.
    mutating func takeDue(at now: Instant) -> Set<OccurrenceID> {
        var due: Set<OccurrenceID> = []
        while let next, next <= now, let look = looks.removeFirst() {
            due.insert(look.occurrence)
        }
        return due
    }

    /// The part of the state that concerns these campaigns.
    func state(of campaigns: Set<CampaignID>) -> AppliedState {
        let records = campaigns.flatMap { occurrences[$0] ?? [] }
        return AppliedState(
            identity: identity,
            definitions: Dictionary(
                uniqueKeysWithValues: campaigns.compactMap { id in definitions[id].map { (id, $0) }
                }
            ),
            occurrences: Dictionary(uniqueKeysWithValues: records.map { ($0.id, $0) }),
            memberships: [],
            pauses: [],
            resolutions: [],
            deadCount: 0
        )
    }
}
