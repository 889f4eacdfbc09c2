import CampaignMessages
import CampaignModel
import Foundation
import JSON
import Planning
import RegistrationLists
import SQLiteStore
import Scheduling
import Sending
import State
import StoreConformance
import Testing
import Time

/// A state in a temporary folder, with functions that plan against it.
struct PlanScene {
    let folder: StateFolder
    let store: any StateStore
    let fingerprinter: Fingerprinter

    /// 2027-01-15T08:00:00Z.
    static let now = Instant(secondsSince1970: 1_800_000_000)

    /// An implementation in Python computed the fingerprints under this key.
    init() throws {
        folder = try StateFolder()
        store = try SQLiteStore.open(
            path: folder.path + "/dev.sqlite",
            ifMissing: .created { Array(repeating: 7, count: $0) }
        )
        fingerprinter = Fingerprinter(key: FingerprintKey(bytes: Array(repeating: 7, count: 32)))
    }

    func plan(
        _ campaigns: [Campaign] = [],
        corrections: [Correction] = [],
        audiences: [Audience] = [],
        removals: [AudienceRemoval] = [],
        settle: Int64 = 0,
        findings: MembershipFindings = MembershipFindings(),
        topics: [Topic: TopicDescription] = [:],
        selection: Selection = .everything,
        guards: GuardBasis = GuardBasis(),
        environment name: String = "dev",
        projectID: String = "emulator",
        pace: Pace? = nil,
        interrupted: (any InterruptedRequests)? = nil,
        sources: [ListSourceID: ListSource] = [:],
        lists: (any ListPlaces)? = nil,
        sends: EnvironmentSettings.Sends = .apply,
        upstream: [UpstreamRule] = [],
        pending: [UpstreamChange] = [],
        at now: Instant = Self.now
    ) async throws -> Plan {
        let environment = try #require(EnvironmentID(name))
        let project = Project(
            id: try #require(ProjectID("shop")),
            timeZone: "UTC",
            topics: topics,
            environments: pace == nil && sends == .apply
                ? [] : [Self.environment(environment, pace: pace, sends: sends)],
            campaigns: campaigns,
            corrections: corrections,
            audiences: audiences,
            devices: [],
            removals: removals,
            sources: sources,
            upstream: upstream
        )
        return try await Planner(
            project: project,
            environment: environment,
            projectID: projectID,
            store: store,
            surveys: ListSurveys(
                of: project.plannedLists,
                messages: project.messageColumns,
                directory: lists ?? folder.path,
                fingerprinter: fingerprinter
            ),
            fingerprinter: fingerprinter,
            zones: TimeZoneDatabase.system(environment: [:]),
            now: now,
            settle: settle,
            findings: findings,
            selection: selection,
            guards: guards,
            interrupted: interrupted,
            pending: pending
        ).plan()
    }

    private static func environment(
        _ id: EnvironmentID,
        pace: Pace?,
        sends: EnvironmentSettings.Sends
    ) -> CampaignModel.Environment {
        let standard = EnvironmentSettings.standard
        return CampaignModel.Environment(
            id: id,
            endpoint: .embeddedEmulator,
            settings: EnvironmentSettings(
                state: standard.state,
                isProtected: standard.isProtected,
                sends: sends,
                pace: pace,
                guards: standard.guards,
                settle: standard.settle
            )
        )
    }

    /// Returns the step of the only campaign.
    func step(_ campaign: Campaign, at now: Instant = Self.now) async throws -> CampaignStep {
        let plan = try await plan([campaign], at: now)
        try #require(plan.campaigns.count == 1)
        return plan.campaigns[0].step
    }

    func fingerprints(_ numbers: Int...) throws -> [Fingerprint] {
        try numbers.map { fingerprinter.fingerprint(of: try registration($0)) }
    }

    func registration(_ number: Int) throws -> Registration {
        try StoreFixtures.registrations(number..<number + 1)[0]
    }

    func inline(_ numbers: Int...) throws -> RegistrationList {
        .inline(try numbers.map(registration))
    }

    func write(_ text: String, to name: String) throws {
        try Data(text.utf8).write(to: URL(fileURLWithPath: folder.path + "/" + name))
    }

    /// Returns a list that is read when its send begins; the file need not exist.
    func listAtSend(_ path: String = "later.txt", column: String? = nil) -> RegistrationList {
        .described(
            RegistrationFile(
                path: path,
                format: RegistrationFile.Format(path: path),
                kind: .token,
                column: column,
                identity: nil,
                reading: .atSend
            )
        )
    }

    /// Writes registrations to the file of `listAtSend()`.
    func writeLater(_ numbers: some Sequence<Int>) throws {
        try write(try numbers.map { try registration($0).token + "\n" }.joined(), to: "later.txt")
    }

    /// Writes a list of registrations and returns it.
    func file(_ numbers: some Sequence<Int>) throws -> RegistrationList {
        let lines = try numbers.map { try registration($0).token + "\n" }
        try Data(lines.joined().utf8).write(to: URL(fileURLWithPath: folder.path + "/list.txt"))
        return .file(path: "list.txt")
    }
}

// MARK: - Projects

extension PlanScene {
    func id(_ name: String) throws -> OccurrenceID { try StoreFixtures.occurrence(name) }

    func topic(_ name: String = "news") throws -> Topic { try #require(Topic(name)) }

    func campaign(
        _ name: String = "sale",
        to target: AudienceTarget? = nil,
        title: String = "Hello",
        schedule: Schedule = .immediate
    ) throws -> Campaign {
        try campaign(
            name,
            to: target,
            fields: ["notification": ["title": .string(title)]],
            schedule: schedule
        )
    }

    func campaign(
        _ name: String = "sale",
        to target: AudienceTarget? = nil,
        fields: JSONObject,
        delivery: Delivery = .unspecified,
        schedule: Schedule = .immediate,
        division: SlotDivision = .shared
    ) throws -> Campaign {
        Campaign(
            id: try #require(CampaignID(name)),
            about: nil,
            owner: nil,
            target: try target ?? .topic(topic()),
            audience: nil,
            content: MessageContent(fields: fields),
            delivery: delivery,
            schedule: schedule,
            division: division
        )
    }

    /// Returns a campaign with a new text for another one, or for one of its occurrences.
    func correction(
        of corrected: String = "sale",
        saying body: String = "It was wrong",
        named name: String = "fix"
    ) throws -> Correction {
        Correction(
            id: try #require(CampaignID(name)),
            corrected: try #require(CorrectedSend(corrected)),
            message: .notification(title: nil, body: body)
        )
    }

    /// Returns an upstream rule that replies to messages with an action.
    func reply(
        _ name: String = "thanks",
        to action: String = "answer",
        saying title: String? = "Thank you"
    ) throws -> UpstreamRule {
        UpstreamRule(
            id: try #require(UpstreamRuleID(name)),
            about: "Thanks for answers",
            match: UpstreamMatch(category: nil, data: ["action": action]),
            actions: UpstreamActions(
                optsOut: title == nil,
                reply: title.map {
                    MessageContent(fields: ["notification": ["title": .string($0)]])
                }
            )
        )
    }

    /// Returns a campaign to topic `news` with a cron expression in Berlin's time zone.
    func rule(
        _ cron: String,
        title: String = "Hello",
        from: String? = nil,
        until: String? = nil,
        late: LatePolicy.Late? = nil,
        lateAfter: Int64 = 600,
        jitter: Int64 = 0,
        revision: Int = 1
    ) throws -> Campaign {
        let zone = try TimeZoneDatabase.system(environment: [:]).rules(named: "Europe/Berlin")
        let last = try until.map { try #require(CivilDateTime(parsing: $0)) }
        return Campaign(
            id: try #require(CampaignID("daily")),
            about: nil,
            owner: nil,
            target: .topic(try topic()),
            audience: nil,
            content: MessageContent(fields: ["notification": ["title": .string(title)]]),
            delivery: .unspecified,
            schedule: .repeating(
                RepeatingSchedule(
                    text: cron,
                    pattern: .cron(try CronSchedule(parsing: cron)),
                    zone: "Europe/Berlin",
                    from: try from.map { try #require(CivilDateTime(parsing: $0)) },
                    until: last
                )
            ),
            timeliness: LatePolicy(
                late: late,
                lateAfter: lateAfter,
                until: last.map { zone.resolve($0).instant },
                reasonInQuietHours: nil,
                jitter: jitter
            ),
            revision: revision
        )
    }

    func audience(
        _ list: RegistrationList,
        named name: String = "all",
        in topics: [String]? = ["news"],
        rejoins: Bool = false,
        by transport: MembershipTransportChoice = .auto,
        acknowledging change: Int? = nil
    ) throws -> Audience {
        Audience(
            id: try #require(AudienceID(name)),
            about: nil,
            list: list,
            subscribe: try topics?.map(topic),
            rejoins: rejoins,
            transport: transport,
            acknowledgement: Self.acknowledgement(of: change)
        )
    }

    static func acknowledgement(of change: Int?) -> ChangeAcknowledgement? {
        change.map { ChangeAcknowledgement(change: $0, reason: "wanted") }
    }

    /// Returns a time in UTC, in seconds from now.
    static func moment(_ seconds: Int64) -> ScheduledMoment {
        let instant = now.advanced(bySeconds: seconds)
        return ScheduledMoment(
            local: TimeZoneRules.utc.localTime(at: instant),
            zone: "UTC",
            instant: instant
        )
    }
}

// MARK: - States

extension PlanScene {
    /// Records the definitions and schedules of a plan, as an apply does.
    ///
    /// `places`: where the plan's lists are; by default, the scene's folder.
    func remember(_ plan: Plan, reading places: (any ListPlaces)? = nil) async throws {
        let run = try await store.beginRun(StoreFixtures.worker)
        let opener = SendOpener(
            ledger: store,
            lists: store,
            directory: places ?? folder.path,
            fingerprinter: fingerprinter
        )
        for list in plan.campaigns.compactMap(\.scheduledList) {
            try await opener.store(list.content, as: list.id)
        }
        try await store.record(plan.definitionChanges, in: run)
        let handedOver = plan.handOverChanges(at: plan.now)
        if !handedOver.isEmpty { try await store.record(handedOver, in: run) }
    }

    /// Records a plan of one campaign and opens its occurrence.
    func begin(_ campaign: Campaign) async throws -> WorkUnitRecord {
        let plan = try await plan([campaign])
        try await remember(plan)
        let send = try #require(plan.sends.first)
        let target: UnitTarget
        switch send.target {
        case .topic(let topic): target = .topic(topic)
        case .condition(let text): target = .condition(text)
        case .group(let name): target = .group(name)
        case .stored(let id, _): target = .registrations(id)
        case .part, .listAtSend: throw NotInline()
        case .list(let content, let id, _):
            guard case .inline(let registrations) = content.list else { throw NotInline() }
            try await store.store(registrations, as: id)
            target = .registrations(id)
        }
        return try await store.open(
            OpenedOccurrence(
                id: send.occurrence,
                due: send.due,
                message: send.template.stored,
                target: target,
                count: send.remaining
            ),
            in: try await store.beginRun(StoreFixtures.worker)
        )
    }

    private struct NotInline: Error {}

    func record(_ outcomes: [Outcome], released: Int? = nil, of unit: WorkUnitRecord) async throws {
        let outcomes = outcomes.enumerated().map { RequestOutcome(index: $0, outcome: $1) }
        try await store.record(
            outcomes.filter { $0.outcome != .intended },
            released: released ?? outcomes.count,
            of: unit.id
        )
    }

    func join(_ numbers: Int..., audience: String = "all", topic: String = "news") async throws {
        try await joining(numbers, audience: audience, topic: topic)
        let scope = try StoreFixtures.scope(audience, topic)
        try await store.finishJoin(StoreFixtures.results(members(numbers)), in: scope)
    }

    func joining(_ numbers: [Int], audience: String = "all", topic: String = "news") async throws {
        try await store.beginJoin(members(numbers), in: StoreFixtures.scope(audience, topic))
    }

    /// Records registrations as members with any status.
    func keep(
        _ numbers: Int...,
        as status: MembershipStatus,
        audience: String = "all",
        topic: String = "news"
    ) async throws {
        try await store.record(
            members(numbers),
            as: status,
            in: StoreFixtures.scope(audience, topic)
        )
    }

    func removal(
        _ members: AudienceRemoval.Members,
        of name: String = "all",
        acknowledging change: Int? = nil
    ) throws -> AudienceRemoval {
        AudienceRemoval(
            audience: try #require(AudienceID(name)),
            members: members,
            acknowledgement: Self.acknowledgement(of: change)
        )
    }

    func members(_ numbers: [Int]) throws -> [Member] {
        try numbers.map { number in
            let registration = try registration(number)
            return Member(
                fingerprint: fingerprinter.fingerprint(of: registration),
                registration: registration
            )
        }
    }
}
