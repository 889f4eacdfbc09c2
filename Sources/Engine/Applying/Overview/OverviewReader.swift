package import CampaignModel
import Planning
package import RegistrationLists
package import RunControl
package import State
package import Time

/// The ports that an overview is read from.
package typealias OverviewSource = StateReader & Ledger & MembershipBook & DeadRegistrationStore
    & HistoryStore & ControlStore & RunnerStore & FleetReader & ExperimentBook & UpstreamBook

/// Reads the current status of a state without the lock.
package struct OverviewReader: Sendable {
    let store: any OverviewSource
    package let fingerprinter: Fingerprinter
    private let zones: TimeZoneDatabase
    private let zone: String
    private let now: Instant

    /// Number of message IDs per read: a few megabytes.
    private static let idStride = 65_536

    /// Creates a reader for one point in time.
    ///
    /// `zone`: the IANA time zone for times whose schedule has no known time zone. `now`: decides
    /// which sends quiet hours hold.
    package init(
        store: any OverviewSource,
        fingerprinter: Fingerprinter,
        zones: TimeZoneDatabase,
        zone: String,
        now: Instant
    ) {
        self.store = store
        self.fingerprinter = fingerprinter
        self.zones = zones.readingOnce()
        self.zone = zone
        self.now = now
    }

    /// `campaigns`: limits the result to these; all if empty.
    package func overview(
        of selection: OccurrenceSelection
    ) async throws(StateStoreError) -> StateOverview {
        let before = try await store.currentWriter()
        // Before the records: an occurrence that ended since then is shown as its record.
        let fleet = try await store.fleet()
        let entrusted = Dictionary(uniqueKeysWithValues: fleet.occurrences.map { ($0.id, $0) })
        let records = try await store.occurrences(selection)
        // A writer that has started since then may have released the requests.
        let writer = before == .nobody ? try await store.currentWriter() : before
        let definitions = try await store.definitions(of: Set(records.map(\.id.campaign)))
        let deferrals = try await deferrals()
        var occurrences: [OccurrenceOverview] = []
        for record in records {
            let definition = definitions[record.id.campaign]
            var overview = try await overview(
                of: record,
                by: record.status == .dispatching ? entrusted[record.id] : nil,
                definition: definition,
                writer: writer
            )
            overview.deferredUntil =
                [
                    deferrals?.end(of: record, definition: definition),
                    pauseEnd(of: record, definition),
                ]
                .compactMap(\.self).max { $0.instant < $1.instant }
            overview.rollout = record.rollout
            overview.recall = record.recall
            occurrences.append(overview)
        }
        return StateOverview(
            identity: try await store.identity(),
            writer: writer,
            pauses: try await store.pauses(),
            resolutions: try await store.requestedResolutions(),
            occurrences: occurrences,
            settled: selection == .unsettled
                ? try await store.settledOccurrences() : SettledOccurrences(occurrences),
            memberships: try await store.membershipOverview().summaries,
            deadCount: try await store.deadCount(),
            runners: try await store.runners(),
            fleet: fleet
        )
    }

    private func overview(
        of record: OccurrenceRecord,
        by entrusted: EntrustedOccurrence?,
        definition: CampaignDefinition?,
        writer: CurrentWriter
    ) async throws(StateStoreError) -> OccurrenceOverview {
        var counts = RequestCounts()
        var repeated = 0
        var noted: [RequestOutcome] = []
        if let unit = record.unit {
            counts =
                entrusted.map { RequestCounts($0) }
                ?? RequestCounts(unit, isAwaited: writer != .nobody)
            repeated = try await store.repeatCount(of: unit.id)
            if writer == .nobody, entrusted == nil, record.status == .dispatching {
                noted = try await recorder.noted(of: unit)
            }
        }
        for outcome in noted { counts.learn(outcome.outcome) }
        return OccurrenceOverview(
            id: record.id,
            phase: record.phase(unknown: counts.unknown),
            due: moment(record.due, of: record, definition: definition),
            unit: record.unit,
            counts: counts,
            repeated: repeated,
            noted: noted,
            entrusted: entrusted
        )
    }

    /// Nil if the environment has no quiet hours, or if nothing was applied.
    private func deferrals() async throws(StateStoreError) -> AppliedDeferrals? {
        try await store.environment().flatMap(AppliedEnvironment.init(stored:)).flatMap {
            AppliedDeferrals(in: $0, zones: zones, at: now)
        }
    }

    private var recorder: OccurrenceRecorder {
        OccurrenceRecorder(store: store, fingerprinter: fingerprinter)
    }

    /// When the next stage of a rollout begins; nil unless the send waits for that.
    private func pauseEnd(
        of record: OccurrenceRecord,
        _ definition: CampaignDefinition?
    ) -> ScheduledMoment? {
        guard record.status == .dispatching, let rollout = record.rollout, !rollout.isStopped,
            rollout.since > now
        else { return nil }
        return moment(rollout.since, of: record, definition: definition)
    }

    private func moment(
        _ instant: Instant,
        of record: OccurrenceRecord,
        definition: CampaignDefinition?
    ) -> ScheduledMoment {
        let named = record.id.slot.zone ?? definition?.scheduleZone ?? zone
        let known = [named, zone].lazy.compactMap { name in
            (try? zones.rules(named: name)).map { (name, $0) }
        }
        let (zone, rules) = known.first ?? ("UTC", .utc)
        return ScheduledMoment(
            local: rules.localTime(at: instant),
            zone: zone,
            instant: instant
        )
    }
}

// MARK: - Single requests

extension OverviewReader {
    /// Visits the unknown requests of an occurrence, in list order, until the visitor returns
    /// false.
    package func forEachUnknown(
        of occurrence: OccurrenceOverview,
        visit: (SendProblem) -> Bool
    ) async throws(StateStoreError) {
        guard let unit = occurrence.unit, occurrence.counts.unknown > 0 else { return }
        let isAwaited = occurrence.counts.inFlight > 0 || occurrence.entrusted != nil
        var names = try await RegistrationNames(of: unit, in: store, with: fingerprinter)
        var first = 0
        while first < unit.count {
            let range = first..<min(first + PageSize.outcomes, unit.count)
            let outcomes = try await store.outcomes(of: unit.id, in: range)
            let details = try await store.details(of: unit.id, in: range)
            for (number, outcome) in zip(range, outcomes) {
                let isCutOff = !isAwaited && number < unit.released && outcome == .intended
                guard outcome == .unknown || isCutOff else { continue }
                let noted = occurrence.noted[number]
                guard noted.map({ $0.outcome == .unknown }) ?? true else { continue }
                let problem = SendProblem(
                    fingerprint: try await names.fingerprint(number),
                    reason: noted?.detail ?? details[number] ?? FlightVerdict.cutOff
                )
                guard visit(problem) else { return }
            }
            first = range.upperBound
        }
    }

    /// Visits the recorded message IDs of an occurrence that addresses a list, in list order.
    package func forEachMessageID(
        of unit: WorkUnitRecord,
        visit: (SentMessage) -> Void
    ) async throws(StateStoreError) {
        var names = try await RegistrationNames(of: unit, in: store, with: fingerprinter)
        for first in Swift.stride(from: 0, to: unit.count, by: Self.idStride) {
            let ids = try await store.messageIDs(of: unit.id, from: first, count: Self.idStride)
            for (number, id) in ids {
                let fingerprint = try await names.fingerprint(number)
                visit(SentMessage(number: number, fingerprint: fingerprint, id: id))
            }
        }
    }
}

/// An accepted message to one registration, with FCM's ID.
package struct SentMessage: Hashable, Sendable {
    /// The request's number within its occurrence.
    package let number: Int
    /// Nil if the list is no longer stored.
    package let fingerprint: Fingerprint?
    package let id: String

    package init(number: Int, fingerprint: Fingerprint?, id: String) {
        self.number = number
        self.fingerprint = fingerprint
        self.id = id
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
