package import CampaignModel
package import RegistrationLists
package import State
import Time

/// Why an import ended early.
///
/// What was stored before stays, and a repeated import stores the rest.
package enum OutcomeImportError: Error, Hashable, Sendable {
    case source(OutcomeSourceError)
    case state(StateStoreError)
}

/// What an import found.
package struct OutcomeImportReport: Hashable, Sendable {
    /// Number of rows or events.
    package fileprivate(set) var rows = 0
    /// Number of outcomes that were stored now, by campaign.
    package fileprivate(set) var stored: [CampaignID: Int] = [:]
    /// Number of outcomes that earlier imports, or earlier rows, had stored.
    package fileprivate(set) var repeated = 0
    /// Number of rows about subjects of no experiment, and the lines of the first ones.
    package fileprivate(set) var unknown = 0
    package fileprivate(set) var unknownLines: [Int] = []
    /// Number of rows that cannot be used, and the first ones.
    package fileprivate(set) var refused = 0
    package fileprivate(set) var faults: [OutcomeFault] = []

    /// How many lines are named.
    package static let named = 5

    package init() {}

    package var storedCount: Int { stored.values.reduce(0, +) }

    fileprivate mutating func refuse(_ fault: OutcomeFault) {
        refused += 1
        if faults.count < Self.named { faults.append(fault) }
    }
}

/// Assigns events to the subjects and arms of experiments, and stores them.
///
/// An event belongs to the last send to its subject before it, for each campaign. Events are read
/// and stored in batches: memory use depends neither on the source nor on the lists.
package struct OutcomeImporter: Sendable {
    private let store: any ExperimentBook & Ledger & StateReader
    private let batch: Int

    package init(into store: any ExperimentBook & Ledger & StateReader, batch: Int = 1 << 18) {
        self.store = store
        self.batch = batch
    }

    package func store(
        _ source: inout some OutcomeSource
    ) async throws(OutcomeImportError) -> OutcomeImportReport {
        var report = OutcomeImportReport()
        let exposures: [KnownExposure]
        do throws(StateStoreError) { exposures = try await knownExposures() } catch {
            throw .state(error)
        }
        while let events = try await next(of: &source) {
            report.rows += events.reports.count + events.faults.count
            for fault in events.faults { report.refuse(fault) }
            do throws(StateStoreError) {
                try await keep(events.reports, of: exposures, into: &report)
            } catch {
                throw .state(error)
            }
        }
        return report
    }

    private func next(
        of source: inout some OutcomeSource
    ) async throws(OutcomeImportError) -> OutcomeBatch? {
        do throws(OutcomeSourceError) { return try await source.next(atMost: batch) } catch {
            throw .source(error)
        }
    }

    private func knownExposures() async throws(StateStoreError) -> [KnownExposure] {
        var known: [KnownExposure] = []
        for exposure in try await store.exposures(of: nil) {
            let record = try await store.occurrence(exposure.occurrence)
            known.append(
                KnownExposure(
                    exposure: exposure,
                    key: record?.deduplicationKey,
                    keepsIDs: record?.unit.map { $0.keepsIDs && $0.compacted == nil } ?? false
                )
            )
        }
        return known
    }

    private func keep(
        _ reports: [OutcomeReport],
        of exposures: [KnownExposure],
        into result: inout OutcomeImportReport
    ) async throws(StateStoreError) {
        var matches = OutcomeMatches(reports)
        for exposure in exposures {
            let rows = try await rows(of: matches.messages, in: exposure)
            var first = 0
            while let subjects = try await store.subjects(of: exposure.exposure, from: first) {
                matches.add(subjects, from: first, of: exposure, messages: rows)
                first += subjects.arms.count
            }
        }
        for (number, report) in reports.enumerated() where !matches.isAssigned(number) {
            if matches.isKnown(number) {
                result.refuse(OutcomeFault(line: report.line, reason: .beforeSend))
            } else {
                result.unknown += 1
                if result.unknownLines.count < OutcomeImportReport.named {
                    result.unknownLines.append(report.line)
                }
            }
        }
        for (campaign, outcomes) in matches.outcomes {
            let count = try await store.record(outcomes)
            result.stored[campaign, default: 0] += count
            result.repeated += outcomes.count - count
        }
    }

    /// Returns the numbers of the reports about each request of an exposure, by message ID.
    private func rows(
        of messages: [String: [Int]],
        in exposure: KnownExposure
    ) async throws(StateStoreError) -> [Int: [Int]] {
        guard exposure.keepsIDs, !messages.isEmpty else { return [:] }
        var found: [Int: [Int]] = [:]
        var first = 0
        while true {
            let ids = try await store.messageIDs(
                of: exposure.exposure.unit,
                from: first,
                count: 16_384
            )
            guard let last = ids.last else { return found }
            for (request, id) in ids {
                let short = id.split(separator: "/").last.map(String.init) ?? id
                if let numbers = messages[short] { found[request] = numbers }
            }
            first = last.request + 1
        }
    }
}
