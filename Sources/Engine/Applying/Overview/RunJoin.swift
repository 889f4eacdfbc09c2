package import CampaignModel
package import State
package import RegistrationLists

/// One request of a sending to a list, with what a list of the team's own says of its registration.
package struct JoinedRequest: Sendable {
    package enum State: String, Sendable {
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
    /// Its place in the list that was sent to, from 1.
    package let number: Int
    /// Nil where nobody can say any more who it was.
    package let fingerprint: Fingerprint?
    package let state: State
    package let detail: String?
    /// Where FCM's ids are kept.
    package let messageID: String?
    /// Empty texts where the list does not have the registration.
    package let values: [String]
}

/// Leads from a run's requests back to the team's own ids.
package struct RunJoin {
    private let reader: OverviewReader
    private let run: RunOverview
    private let lookup: ListLookup
    private let width: Int
    /// Sendings whose stored list is gone, and of which the list is another one: nobody can say who
    /// they went to.
    package let unjoinable: [OccurrenceID]
    /// How many sendings to lists there are whose single outcomes are kept.
    package let count: Int
    /// Sendings to lists of which only the counts are left.
    package let compacted: [OccurrenceID]

    /// Outcomes are read this many at a time.
    private static let stride = 65_536

    package enum Failure: Error {
        case state(StateStoreError)
        case list(RegistrationListError)
    }

    /// Reads the list once.
    package init(
        of run: RunOverview,
        _ table: ListTable,
        _ reader: OverviewReader
    ) throws(Failure) {
        self.reader = reader
        self.run = run
        width = table.columns.count
        let units = run.sendings.compactMap(\.listUnit)
        count = units.count
        compacted = run.sendings.filter(\.isCompactedList).map(\.sending.occurrence)
        let (wanted, longest) = try Self.stating { () throws(StateStoreError) in
            (try reader.fingerprints(of: units), try reader.longestDropped(of: units))
        }
        do {
            lookup = try ListLookup(table, reader.fingerprinter, wanted: wanted, first: longest)
        } catch {
            throw .list(error)
        }
        let lookup = lookup
        unjoinable = try Self.stating { () throws(StateStoreError) in
            var lost: [OccurrenceID] = []
            for sending in run.sendings {
                guard let unit = sending.listUnit, unit.list != lookup.id else { continue }
                if try !reader.hasList(of: unit) { lost.append(sending.sending.occurrence) }
            }
            return lost
        }
    }

    /// Visits every request of the run's sendings to lists, in the order of the lists.
    package func forEachRequest(
        _ visit: (JoinedRequest) -> Void
    ) throws(StateStoreError) {
        for sending in run.sendings {
            guard let unit = sending.listUnit else { continue }
            try forEachRequest(of: unit, sending.sending.occurrence, visit)
        }
    }

    private func forEachRequest(
        of unit: UnitRecord,
        _ occurrence: OccurrenceID,
        _ visit: (JoinedRequest) -> Void
    ) throws(StateStoreError) {
        var names = try RegistrationNames(of: unit, reader.store, reader.fingerprinter)
        for first in Swift.stride(from: 0, to: unit.count, by: Self.stride) {
            let range = first..<min(first + Self.stride, unit.count)
            let outcomes = try reader.store.outcomes(of: unit.id, in: range)
            let details = try reader.store.details(of: unit.id, in: range)
            let ids = try messageIDs(of: unit, in: range)
            for (number, outcome) in zip(range, outcomes) {
                let who = try who(number, unit, &names)
                visit(
                    JoinedRequest(
                        occurrence: occurrence,
                        number: number + 1,
                        fingerprint: who?.fingerprint,
                        state: state(number, outcome, unit),
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
        _ unit: UnitRecord,
        _ names: inout RegistrationNames
    ) throws(StateStoreError) -> (fingerprint: Fingerprint, values: [String])? {
        if let fingerprint = try names.fingerprint(number) {
            let values = lookup.values(of: fingerprint)
            return (fingerprint, values ?? [String](repeating: "", count: width))
        }
        return unit.list == lookup.id ? lookup.row(number) : nil
    }

    private func messageIDs(
        of unit: UnitRecord,
        in range: Range<Int>
    ) throws(StateStoreError) -> [Int: String] {
        guard unit.keepsIDs else { return [:] }
        let ids = try reader.store.messageIDs(
            of: unit.id,
            from: range.lowerBound,
            count: range.count
        )
        return Dictionary(ids.map { ($0.request, $0.id) }) { $1 }
    }

    /// What was released by somebody who is gone is unknown.
    private func state(_ number: Int, _ outcome: Outcome, _ unit: UnitRecord) -> JoinedRequest.State
    {
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

    private static func stating<Value>(
        _ body: () throws(StateStoreError) -> Value
    ) throws(Failure) -> Value {
        do { return try body() } catch { throw .state(error) }
    }
}

extension OverviewReader {
    fileprivate func hasList(of unit: UnitRecord) throws(StateStoreError) -> Bool {
        guard let list = unit.list else { return false }
        return try store.hasList(list)
    }

    /// The fingerprints of the stored lists of units, sorted: 16 bytes each.
    fileprivate func fingerprints(
        of units: [UnitRecord]
    ) throws(StateStoreError) -> [Fingerprint] {
        var found: [Fingerprint] = []
        var lists: Set<ListID> = []
        for unit in units {
            guard let list = unit.list, try store.hasList(list), lists.insert(list).inserted
            else { continue }
            var names = try RegistrationNames(of: unit, store, fingerprinter)
            for number in 0..<unit.count {
                if let fingerprint = try names.fingerprint(number) { found.append(fingerprint) }
            }
        }
        found.sort()
        return found
    }

    /// How many rows may have to be looked up by their place.
    fileprivate func longestDropped(of units: [UnitRecord]) throws(StateStoreError) -> Int {
        var longest = 0
        for unit in units where try !hasList(of: unit) { longest = max(longest, unit.count) }
        return longest
    }
}

extension RunSendingOverview {
    /// Nil of what went to a topic, condition or group, and where single outcomes are gone.
    fileprivate var listUnit: UnitRecord? {
        unit?.list == nil || unit?.compacted != nil ? nil : unit
    }

    fileprivate var isCompactedList: Bool { unit?.list != nil && unit?.compacted != nil }
}

extension UnitRecord {
    fileprivate var list: ListID? {
        if case .registrations(let list) = target { list } else { nil }
    }
}
