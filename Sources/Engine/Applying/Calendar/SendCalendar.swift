package import CampaignModel
package import State
package import Time

/// The sends of an environment in a period: those that the state records, and the later ones of
/// recorded rules.
package struct SendCalendar: Sendable {
    package let scope: Scope
    /// By due time, then by campaign.
    package let entries: [CalendarEntry]
    /// Campaigns with more sends in the period than a calendar contains, by name.
    package let cut: [CampaignID]
    /// Campaigns whose later sends the state does not contain, by name.
    package let notStored: [CampaignID]

    package init(
        _ scope: Scope,
        entries: [CalendarEntry],
        cut: [CampaignID] = [],
        notStored: [CampaignID] = []
    ) {
        self.scope = scope
        self.entries = entries
        self.cut = cut
        self.notStored = notStored
    }

    /// The source and the period of a calendar.
    package struct Scope: Hashable, Sendable {
        package let project: ProjectID
        package let environment: EnvironmentID
        package let lineage: StateLineage
        package let serial: StateSerial
        package let now: Instant
        /// The days in the project's time zone.
        package let days: ClosedRange<CivilDate>
        /// The project's time zone, in which days begin.
        package let zone: TimeZoneRules

        package init(
            of project: ProjectID,
            in environment: EnvironmentID,
            lineage: StateLineage,
            serial: StateSerial,
            at now: Instant,
            days: ClosedRange<CivilDate>,
            zone: TimeZoneRules
        ) {
            self.project = project
            self.environment = environment
            self.lineage = lineage
            self.serial = serial
            self.now = now
            self.days = days
            self.zone = zone
        }
    }
}

/// One send of a calendar.
package struct CalendarEntry: Hashable, Sendable {
    /// The raw values are those of JSON.
    package enum State: String, Hashable, Sendable, CaseIterable {
        /// It ended, and its requests have outcomes.
        case sent
        /// It has started and has not ended.
        case inProgress = "in_progress"
        /// It waits for a person to resolve its unknown outcomes.
        case stopped
        /// The wrong-list check stopped it.
        case held
        /// It is scheduled or in progress, and a pause stops it.
        case paused
        /// It is scheduled, and quiet hours have moved it.
        case deferred
        case scheduled
        case expired
        case cancelled
    }

    package let id: OccurrenceID
    package let state: State
    /// The due time, in the time zone of the campaign's schedule.
    package let due: ScheduledMoment
    /// The due time without quiet hours; nil unless they moved it.
    package let deferredFrom: Instant?
    package let audience: CalendarAudience
    /// The number of devices that it addresses; nil if it is not known.
    package let devices: Int?
    /// Nil before the start.
    package let counts: RequestCounts?
    /// The number of requests suppressed by the frequency cap.
    package let capped: Int
    /// Whether the state contains the occurrence; otherwise, only its rule.
    package let isRecorded: Bool
    /// The last change of the occurrence or of its rule; nil if it is not known.
    package let change: LastChange?

    package init(
        id: OccurrenceID,
        state: State,
        due: ScheduledMoment,
        deferredFrom: Instant? = nil,
        audience: CalendarAudience,
        devices: Int? = nil,
        counts: RequestCounts? = nil,
        capped: Int = 0,
        isRecorded: Bool = true,
        change: LastChange? = nil
    ) {
        self.id = id
        self.state = state
        self.due = due
        self.deferredFrom = deferredFrom
        self.audience = audience
        self.devices = devices
        self.counts = counts
        self.capped = capped
        self.isRecorded = isRecorded
        self.change = change
    }
}

/// What a send of a calendar addresses.
package struct CalendarAudience: Hashable, Sendable {
    /// The raw values are those of JSON.
    package enum Kind: String, Hashable, Sendable, CaseIterable {
        /// A named audience.
        case audience
        case topic
        case condition
        case group
        /// A list without an audience, by its path.
        case list
        /// The state no longer contains it.
        case unknown
    }

    package let kind: Kind
    package let name: String

    package init(_ kind: Kind, named name: String) {
        self.kind = kind
        self.name = name
    }

    package static let unknown = CalendarAudience(.unknown, named: "")
}
