import CampaignModel
package import Planning
package import RegistrationLists
package import State
package import Time

/// Reads the calendar of an environment from its state, without the lock and without files.
package struct CalendarReader: Sendable {
    private let store: any OverviewSource
    private let fingerprinter: Fingerprinter
    private let applied: AppliedEnvironment
    private let zones: TimeZoneDatabase

    /// The maximum number of sends that the state does not contain yet: some 60 megabytes.
    package static let forecastLimit = 100_000

    /// - Parameters:
    ///   - store: The state.
    ///   - fingerprinter: For the notes of interrupted runs.
    ///   - applied: The recorded settings of the environment.
    ///   - zones: The current rules of time zones.
    package init(
        store: any OverviewSource,
        fingerprinter: Fingerprinter,
        applied: AppliedEnvironment,
        zones: TimeZoneDatabase
    ) {
        self.store = store
        self.fingerprinter = fingerprinter
        self.applied = applied
        self.zones = zones.readingOnce()
    }

    /// The project's time zone; UTC if it is unknown here.
    package var zone: TimeZoneRules {
        (try? zones.rules(named: applied.project.timeZone)) ?? .utc
    }

    /// Returns the sends that are due on these days of the project's time zone.
    ///
    /// `limit`: the maximum number of sends that the state does not contain yet.
    package func calendar(
        of days: ClosedRange<CivilDate>,
        at now: Instant,
        limit: Int = Self.forecastLimit
    ) async throws(StateStoreError) -> SendCalendar {
        // Occurrences are read last: a recorded one replaces the one that its rule predicts.
        let definitions = try await store.definitions(of: try await store.campaigns())
        let changes = try await store.lastChanges()
        let reader = OverviewReader(
            store: store,
            fingerprinter: fingerprinter,
            zones: zones,
            zone: zone.name,
            now: now
        )
        let overview = try await reader.overview(of: .all)
        let scope = SendCalendar.Scope(
            of: applied.project.id,
            in: applied.environment.id,
            lineage: overview.identity.lineage,
            serial: overview.identity.serial,
            at: now,
            days: days,
            zone: zone
        )
        return CalendarBuilder(
            scope: scope,
            applied: applied,
            definitions: definitions,
            changes: changes,
            overview: overview,
            forecast: SendForecast(of: applied, zones: zones, at: now),
            reach: ReachEstimate(declaredBy: applied.project)
        ).calendar(limit: limit)
    }
}

/// Puts the records of a state and the predictions of its rules together.
private struct CalendarBuilder {
    let scope: SendCalendar.Scope
    let applied: AppliedEnvironment
    let definitions: [CampaignID: CampaignDefinition]
    let changes: LastChanges
    let overview: StateOverview
    let forecast: SendForecast
    let reach: ReachEstimate

    func calendar(limit: Int) -> SendCalendar {
        var entries = overview.occurrences.compactMap(entry)
        let recorded = Set(overview.occurrences.map(\.id))
        var cut: [CampaignID] = []
        var notStored: [CampaignID] = []
        var left = limit
        for (campaign, definition) in definitions.sorted(by: { $0.key < $1.key }) {
            let sends = forecast.sends(
                of: definition,
                in: scope.period,
                limit: left,
                isRecorded: recorded.contains
            )
            left -= sends.sends.count
            entries += self.entries(of: sends, by: definition)
            switch sends.gap {
            case .limit: cut.append(campaign)
            case .notStored: notStored.append(campaign)
            case nil: break
            }
        }
        entries.sort { ($0.due.instant, $0.id) < ($1.due.instant, $1.id) }
        return SendCalendar(scope, entries: entries, cut: cut, notStored: notStored)
    }

    /// Nil for an occurrence on another day.
    private func entry(_ occurrence: OccurrenceOverview) -> CalendarEntry? {
        guard scope.days.contains(scope.zone.localTime(at: occurrence.due.instant).date) else {
            return nil
        }
        let definition = definitions[occurrence.id.campaign]
        var recipients = CalendarRecipients(of: definition, reach: reach)
            .part(of: occurrence.id.slot)
        if let unit = occurrence.unit { recipients = recipients.started(with: unit, reach: reach) }
        let deferredFrom =
            occurrence.phase == .scheduled
            ? definition.flatMap {
                forecast.deferral(of: occurrence.id, due: occurrence.due.instant, by: $0)
            } : nil
        return CalendarEntry(
            id: occurrence.id,
            state: state(of: occurrence, isDeferred: deferredFrom != nil),
            due: occurrence.due,
            deferredFrom: deferredFrom,
            audience: recipients.audience,
            devices: recipients.devices,
            counts: occurrence.unit == nil ? nil : occurrence.counts,
            capped: occurrence.unit?.capped ?? 0,
            isRecorded: true,
            change: changes.occurrences[occurrence.id]
        )
    }

    private func state(
        of occurrence: OccurrenceOverview,
        isDeferred: Bool
    ) -> CalendarEntry.State {
        let isPaused = overview.pause(of: occurrence.id.campaign) != nil
        return switch occurrence.phase {
        case .finished: .sent
        case .cancelled: .cancelled
        case .expired: .expired
        case .held: .held
        case .stopped: .stopped
        case .underWay: isPaused ? .paused : .inProgress
        case .scheduled: isPaused ? .paused : isDeferred ? .deferred : .scheduled
        }
    }

    private func entries(
        of sends: SendForecast.Sends,
        by definition: CampaignDefinition
    ) -> [CalendarEntry] {
        let recipients = CalendarRecipients(of: definition, reach: reach)
        let change = changes.definitions[definition.campaign]
        let isPaused = overview.pause(of: definition.campaign) != nil
        return sends.sends.map { send in
            CalendarEntry(
                id: send.id,
                state: isPaused ? .paused : send.deferredFrom == nil ? .scheduled : .deferred,
                due: send.due,
                deferredFrom: send.deferredFrom,
                audience: recipients.audience,
                devices: recipients.part(of: send.id.slot).devices,
                isRecorded: false,
                change: change
            )
        }
    }
}

extension SendCalendar.Scope {
    /// From the beginning of the first day to the end of the last one.
    fileprivate var period: Range<Instant> {
        beginning(
            of: days.lowerBound.daysSince1970
        )..<beginning(of: days.upperBound.daysSince1970 + 1)
    }

    private func beginning(of day: Int) -> Instant {
        let local = CivilDateTime(date: CivilDate(daysSince1970: day), time: .midnight)
        return zone.resolve(local).instant
    }
}
