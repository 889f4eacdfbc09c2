package import CampaignModel
package import RegistrationLists
package import State

/// One request of an occurrence, with the columns of a user's list for its registration.
package struct JoinedRequest: Sendable {
    package enum State: String, CaseIterable, Sendable {
        case notSent = "not_sent"
        case inFlight = "in_flight"
        case accepted
        case rejected
        case unknown
        case expired
        case suppressed
        case cancelled
    }

    package let occurrence: OccurrenceID
    /// Its position in the list, from 1.
    package let number: Int
    /// Nil if the registration is no longer known.
    package let fingerprint: Fingerprint?
    package let state: State
    package let detail: String?
    /// The message ID, if IDs are recorded.
    package let messageID: String?
    /// Empty strings if the list does not contain the registration.
    package let values: [String]
}

/// Joins a run's requests with the IDs in a user's list.
package struct RunJoin {
    private let reader: OverviewReader
    private let run: RunOverview
    private let lookup: ListLookup
    private let width: Int
    /// Occurrences whose stored list is gone and whose list differs now: their registrations are
    /// unknown.
    package let unjoinable: [OccurrenceID]
    /// Number of occurrences with lists whose single outcomes are stored.
    package let count: Int
    /// Occurrences with lists for which only counts are left.
    package let compacted: [OccurrenceID]

    /// Number of outcomes per read.
    private static let stride = 65_536

    package enum Failure: Error {
        case state(StateStoreError)
        case list(RegistrationListError)
    }

    /// Reads the list once.
    package init(
        of run: RunOverview,
        table: ListTable,
        reader: OverviewReader
    ) async throws(Failure) {
        self.reader = reader
        self.run = run
        width = table.columns.count
        let units = run.sendings.compactMap(\.listUnit)
        count = units.count
        compacted = run.sendings.filter(\.isCompactedList).map(\.sending.occurrence)
        let (wanted, longest) = try await Self.mapStateErrors { () async throws(StateStoreError) in
            (try await reader.fingerprints(of: units), try await reader.longestDropped(of: units))
        }
        do {
            lookup = try ListLookup(
                in: table,
                with: reader.fingerprinter,
                wanted: wanted,
                first: longest
            )
        } catch {
            throw .list(error)
        }
        let lookup = lookup
        unjoinable = try await Self.mapStateErrors { () async throws(StateStoreError) in
            var lost: [OccurrenceID] = []
            for sending in run.sendings {
                guard let unit = sending.listUnit, unit.list != lookup.id else { continue }
                if try await !reader.hasList(of: unit) { lost.append(sending.sending.occurrence) }
            }
            return lost
        }
    }

    /// Visits every request of the run's occurrences with lists, in list order.
    package func forEachRequest(
        _ visit: (JoinedRequest) -> Void
    ) async throws(StateStoreError) {
        for sending in run.sendings {
            guard let unit = sending.listUnit else { continue }
            try await forEachRequest(of: unit, in: sending.sending.occurrence, visit: visit)
        }
    }

    private func forEachRequest(
        of unit: WorkUnitRecord,
        in occurrence: OccurrenceID,
        visit: (JoinedRequest) -> Void
    ) async throws(StateStoreError) {
        var names = try await RegistrationNames(
            of: unit,
            in: reader.store,
            with: reader.fingerprinter
        )
        for first in Swift.stride(from: 0, to: unit.count, by: Self.stride) {
            let range = first..<min(first + Self.stride, unit.count)
            let outcomes = try await reader.store.outcomes(of: unit.id, in: range)
            let details = try await reader.store.details(of: unit.id, in: range)
            let ids = try await messageIDs(of: unit, in: range)
            for (number, outcome) in zip(range, outcomes) {
                let who = try await who(number, in: unit, names: &names)
                visit(
                    JoinedRequest(
                        occurrence: occurrence,
                        number: number + 1,
                        fingerprint: who?.fingerprint,
                        state: state(of: number, outcome: outcome, in: unit),
                        detail: details[number],
                        messageID: ids[number],
                        values: who?.values ?? [String](repeating: "", count: width)
                    )
                )
            }
        }
    }

    private func who(
        _ number: Int,
        in unit: WorkUnitRecord,
        names: inout RegistrationNames
    ) async throws(StateStoreError) -> (fingerprint: Fingerprint, values: [String])? {
        if let fingerprint = try await names.fingerprint(number) {
            let values = lookup.values(of: fingerprint)
            return (fingerprint, values ?? [String](repeating: "", count: width))
        }
        return unit.list == lookup.id ? lookup.row(number) : nil
    }

    private func messageIDs(
        of unit: WorkUnitRecord,
        in range: Range<Int>
    ) async throws(StateStoreError) -> [Int: String] {
        guard unit.keepsIDs else { return [:] }
        let ids = try await reader.store.messageIDs(
            of: unit.id,
            from: range.lowerBound,
            count: range.count
        )
        return Dictionary(ids.map { ($0.request, $0.id) }) { $1 }
    }

    /// Returns the state of a request; requests that a terminated process released are unknown.
    private func state(
        of number: Int,
        outcome: Outcome,
        in unit: WorkUnitRecord
    ) -> JoinedRequest.State {
        switch outcome {
        case .intended where number < unit.released: run.isWriting ? .inFlight : .unknown
        case .intended, .returned: .notSent
        case .accepted: .accepted
        case .rejected: .rejected
        case .unknown: .unknown
        case .expired: .expired
        case .suppressed: .suppressed
        case .cancelled: .cancelled
        }
    }

    private static func mapStateErrors<Value>(
        _ body: () async throws(StateStoreError) -> Value
    ) async throws(Failure) -> Value {
        do { return try await body() } catch { throw .state(error) }
    }
}

extension OverviewReader {
    fileprivate func hasList(of unit: WorkUnitRecord) async throws(StateStoreError) -> Bool {
        guard let list = unit.list else { return false }
        return try await store.hasList(list)
    }

    /// Returns the fingerprints of the stored lists of work units, sorted: 16 bytes each.
    fileprivate func fingerprints(
        of units: [WorkUnitRecord]
    ) async throws(StateStoreError) -> [Fingerprint] {
        var found: [Fingerprint] = []
        var lists: Set<ListID> = []
        for unit in units {
            guard let list = unit.list, try await store.hasList(list), lists.insert(list).inserted
            else { continue }
            var names = try await RegistrationNames(of: unit, in: store, with: fingerprinter)
            for number in 0..<unit.count {
                if let fingerprint = try await names.fingerprint(number) {
                    found.append(fingerprint)
                }
            }
        }
        found.sort()
        return found
    }

    /// Returns how many rows may have to be looked up by position.
    fileprivate func longestDropped(of units: [WorkUnitRecord]) async throws(StateStoreError) -> Int
    {
        var longest = 0
        for unit in units where try await !hasList(of: unit) { longest = max(longest, unit.count) }
        return longest
    }
}

extension RunOccurrenceOverview {
    /// Nil for a topic, condition or group, and if single outcomes were dropped.
    fileprivate var listUnit: WorkUnitRecord? {
        unit?.list == nil || unit?.compacted != nil ? nil : unit
    }

    fileprivate var isCompactedList: Bool { unit?.list != nil && unit?.compacted != nil }
}

extension WorkUnitRecord {
    fileprivate var list: ListID? {
        if case .registrations(let list) = target { list } else { nil }
    }
}
