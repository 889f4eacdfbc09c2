import CampaignModel
import Planning
import Service
import State
import Testing
import Time

/// Runs a year of a service on a virtual clock, with its state in memory; sends take no time.
struct VirtualService {
    private let year: YearFile
    private let planner: YearPlanner
    private var ledger: VirtualLedger
    private var machine: ServiceMachine
    /// The times of the sends by campaign, in order.
    private(set) var sends: [CampaignID: [Instant]] = [:]

    /// Applies the campaigns.
    ///
    /// `scene`: Its state stays empty.
    init(_ year: YearFile, in scene: PlanScene) async throws {
        self.year = year
        planner = try YearPlanner(year, in: scene)
        ledger = VirtualLedger(try await scene.store.identity())
        let limits = ServiceMachine.Limits(occurrences: 64, requests: 4_000, pace: .standard)
        machine = ServiceMachine(limits, lastRun: year.start)
        let plan = try await planner.apply()
        try #require(plan.sends.isEmpty)
        try ledger.record(plan.definitionChanges)
    }

    mutating func perform() async throws {
        var now = year.start
        while let next = ledger.next {
            now = year.outages.running(from: max(now, next))
            guard now < year.end else { return }
            try await look(at: now)
        }
    }

    /// Does what is due, in the order of the machine.
    private mutating func look(at now: Instant) async throws {
        let due = ledger.takeDue(at: now)
        let state = ledger.state(of: Set(due.map(\.campaign)))
        let plan = try await planner.due(state, at: now)
        try ledger.record(plan.definitionChanges)
        let sends = plan.campaigns.compactMap { action -> DueSend? in
            guard let send = action.step.began, let campaign = action.source else { return nil }
            return DueSend(send, of: campaign, reach: plan.reach(of: send))
        }
        let reading = ServiceMachine.Reading(
            wall: now,
            steady: .seconds(now.seconds(since: year.start))
        )
        var commands = machine.receive(.scheduled(sends), at: reading)
        while let command = commands.first {
            commands.removeFirst()
            switch command {
            case .start(let id):
                self.sends[id.campaign, default: []].append(now)
                ledger.end(id, as: .finished)
                machine.accepted(reach: nil, at: reading)
                commands += machine.receive(.ended(id), at: reading)
            case .expire(let id), .skip(let id): ledger.end(id, as: .expired)
            case .report(let notice): Issue.record("\(notice) at \(now)")
            case .wake, .drain: break
            }
        }
        machine.endWindow()
        // Otherwise the year would not go on.
        let left = due.filter { ledger.isDue($0, at: now) }
        try #require(left.isEmpty, "\(left) are neither sent nor ended at \(now)")
    }
}
