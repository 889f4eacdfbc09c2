package import CampaignModel
import CampaignPlanning
package import CampaignState
package import Registrations
package import Scheduling

/// Reads what is going on in a state; needs no lock.
package struct OverviewReader: Sendable {
    let store: any StateStore
    private let fingerprinter: Fingerprinter
    private let zones: TimeZoneDatabase
    private let zone: String

    /// Outcomes are read this many at a time: one block of the store.
    private static let stride = 4_096

    /// - Parameter zone: The IANA zone of moments whose schedule names none that is known.
    package init(
        store: any StateStore,
        fingerprinter: Fingerprinter,
        zones: TimeZoneDatabase,
        zone: String
    ) {
        self.store = store
        self.fingerprinter = fingerprinter
        self.zones = zones
        self.zone = zone
    }

    /// - Parameter campaigns: Only these; all where it is empty.
    package func overview(
        of campaigns: Set<CampaignID> = []
    ) throws(StateStoreError) -> StateOverview {
        let before = try store.currentWriter()
        let applied = try store.appliedState()
        // Who began meanwhile may have released what was read.
        let writer = before == .nobody ? try store.currentWriter() : before
        var occurrences: [OccurrenceOverview] = []
        for record in applied.occurrences.values.sorted(by: { $0.id < $1.id })
        where campaigns.isEmpty || campaigns.contains(record.id.campaign) {
            occurrences.append(try overview(of: record, applied, writer))
        }
        return StateOverview(
            identity: applied.identity,
            writer: writer,
            pauses: applied.pauses,
            resolutions: applied.resolutions,
            occurrences: occurrences,
            memberships: try applied.memberships.map(members),
            deadCount: applied.deadCount
        )
    }

    private func overview(
        of record: OccurrenceRecord,
        _ applied: AppliedState,
        _ writer: CurrentWriter
    ) throws(StateStoreError) -> OccurrenceOverview {
        let counts = record.unit.map { RequestCounts($0, isAwaited: writer != .nobody) }
        return OccurrenceOverview(
            id: record.id,
            phase: record.phase(unknown: counts?.unknown ?? 0),
            due: moment(of: record, applied.definitions[record.id.campaign]),
            unit: record.unit,
            counts: counts ?? RequestCounts(),
            repeated: try record.unit.map(repeated) ?? 0
        )
    }

    private func members(
        _ summary: MembershipSummary
    ) throws(StateStoreError) -> MembershipOverview {
        let scope = MembershipScope(audience: summary.audience, topic: summary.topic)
        let members = try store.memberships(in: scope)
        let counts = members.reduce(into: [:]) { $0[$1.status, default: 0] += 1 }
        return MembershipOverview(scope: scope, counts: counts)
    }

    private func repeated(_ unit: UnitRecord) throws(StateStoreError) -> Int {
        guard unit.tally[.accepted] > 0 else { return 0 }
        return try store.countDetails(of: unit.id, beginning: UnitOutcome.repeatedPrefix)
    }

    /// The definition's schedule ends with its zone's name.
    private func moment(
        of record: OccurrenceRecord,
        _ definition: CampaignDefinition?
    ) -> ScheduledMoment {
        let schedule = definition?.content["schedule"]?.stringValue ?? ""
        let named = schedule.split(separator: " ").last.map(String.init) ?? zone
        for zone in [named, zone] {
            guard let rules = try? zones.rules(named: zone) else { continue }
            let local = rules.localTime(at: record.due)
            return ScheduledMoment(local: local, zone: zone, instant: record.due)
        }
        let utc = CivilDateTime(utcSeconds: record.due.secondsSince1970)
        return ScheduledMoment(local: utc, zone: "UTC", instant: record.due)
    }
}

// MARK: - Single requests

extension OverviewReader {
    /// Visits what is unknown of a sending, in the order of its list, until the visitor says false.
    package func forEachUnknown(
        of occurrence: OccurrenceOverview,
        _ visit: (SendProblem) -> Bool
    ) throws(StateStoreError) {
        guard let unit = occurrence.unit, occurrence.counts.unknown > 0 else { return }
        let isAwaited = occurrence.counts.inFlight > 0
        var names = try RegistrationNames(of: unit, store, fingerprinter)
        var first = 0
        while first < unit.count {
            let range = first..<min(first + Self.stride, unit.count)
            let outcomes = try store.outcomes(of: unit.id, in: range)
            let details = try store.details(of: unit.id, in: range)
            for (number, outcome) in zip(range, outcomes) {
                let isCutOff = !isAwaited && number < unit.released && outcome == .intended
                guard outcome == .unknown || isCutOff else { continue }
                let problem = SendProblem(
                    fingerprint: try names.fingerprint(number),
                    reason: details[number] ?? "cut off"
                )
                guard visit(problem) else { return }
            }
            first = range.upperBound
        }
    }

    /// Visits the message ids that were recorded of a sending to a list, in its order.
    package func forEachMessageID(
        of unit: UnitRecord,
        _ visit: (SentMessage) -> Void
    ) throws(StateStoreError) {
        var names = try RegistrationNames(of: unit, store, fingerprinter)
        var first = 0
        while true {
            let ids = try store.messageIDs(of: unit.id, from: first, count: Self.stride)
            for (number, id) in ids {
                let fingerprint = try names.fingerprint(number)
                visit(SentMessage(number: number, fingerprint: fingerprint, id: id))
            }
            guard let last = ids.last else { return }
            first = last.request + 1
        }
    }
}

/// An accepted message to one registration, by FCM's id.
package struct SentMessage: Hashable, Sendable {
    /// The request's number within its sending.
    package let number: Int
    /// Nil where the list is not stored any more.
    package let fingerprint: Fingerprint?
    package let id: String

    package init(number: Int, fingerprint: Fingerprint?, id: String) {
        self.number = number
        self.fingerprint = fingerprint
        self.id = id
    }
}

/// What stands for the registrations of a unit, where it has any and they are still stored.
private struct RegistrationNames {
    private var window: ListWindow?
    private let fingerprinter: Fingerprinter

    init(
        of unit: UnitRecord,
        _ store: any StateStore,
        _ fingerprinter: Fingerprinter
    ) throws(StateStoreError) {
        self.fingerprinter = fingerprinter
        guard case .registrations(let list) = unit.target else { return }
        if try store.hasList(list) { window = ListWindow(store: store, list: list) }
    }

    mutating func fingerprint(_ number: Int) throws(StateStoreError) -> Fingerprint? {
        guard let registration = try window?.registration(number) else { return nil }
        return fingerprinter.fingerprint(of: registration)
    }
}

extension OccurrenceRecord {
    fileprivate func phase(unknown: Int) -> OccurrenceOverview.Phase {
        switch status {
        case .scheduled: .scheduled
        case .finished: .finished
        case .cancelled: .cancelled
        case .expired: .expired
        case .dispatching:
            if let hold {
                .held(hold)
            } else if unknown > 0, unit?.target.isFanOut == true {
                .stopped
            } else {
                .underWay
            }
        }
    }
}
