import CampaignModel
import FCMWire
import JSON
import State
import Testing
import Time

extension StoreCases {
    /// Opens an occurrence to a topic, whose requests get these outcomes.
    @discardableResult
    private static func sent(
        _ campaign: String,
        _ outcomes: [RequestOutcome],
        closedAs status: OccurrenceStatus?,
        in store: any StateStore
    ) async throws -> WorkUnitRecord {
        let unit = try await StoreFixtures.openedUnit(
            store,
            campaign: campaign,
            count: outcomes.count
        )
        try await store.record(outcomes, released: outcomes.count, of: unit.id)
        if let status {
            try await store.close(StoreFixtures.occurrence(campaign), as: status)
        }
        return unit
    }

    private static func outcome(_ outcome: Outcome, _ detail: String? = nil) -> RequestOutcome {
        RequestOutcome(index: 0, outcome: outcome, detail: detail)
    }

    /// One occurrence of every kind, by campaigns `a` to `g`.
    private static func fill(_ store: any StateStore) async throws {
        try await sent("a", [outcome(.accepted)], closedAs: .finished, in: store)
        try await sent("b", [outcome(.unknown, "503")], closedAs: .finished, in: store)
        try await sent("c", [outcome(.cancelled)], closedAs: .cancelled, in: store)
        try await sent("d", [outcome(.returned)], closedAs: nil, in: store)
        let repeated = outcome(.accepted, "x, repeated after 503")
        try await sent("e", [repeated], closedAs: .finished, in: store)
        let run = try await store.beginRun(StoreFixtures.worker)
        try await store.record(
            [
                .schedule(StoreFixtures.occurrence("f"), due: StoreFixtures.due),
                .expire(StoreFixtures.occurrence("g"), due: StoreFixtures.due),
                .define(StoreFixtures.definition("f", title: "Later")),
                .define(StoreFixtures.definition("h", title: "Never")),
            ],
            in: run
        )
    }

    private static func names(
        _ selection: OccurrenceSelection,
        _ store: any StateReader
    ) async throws -> [String] {
        try await store.occurrences(selection).map(\.id.campaign.rawValue)
    }

    static let selectionCases = [
        StoreCase("occurrences are selected by campaign and by status") { state in
            let store = try await state.open()
            try await fill(store)
            #expect(
                try await names(.all, store) == ["a", "b", "c", "d", "e", "f", "g"]
            )
            #expect(try await names(.unsettled, store) == ["b", "d", "f"])
            #expect(try await names(.dispatching, store) == ["d"])
            let some = Set(["a", "f", "h"].compactMap(CampaignID.init))
            #expect(try await names(.of(some), store) == ["a", "f"])
            #expect(try await names(.of([]), store) == [])
        },
        StoreCase("one occurrence and one unit are as in everything that was applied") { state in
            let store = try await state.open()
            try await fill(store)
            let all = try await store.appliedState().occurrences
            for (id, record) in all {
                #expect(try await store.occurrence(id) == record)
                if let unit = record.unit { #expect(try await store.unit(unit.id) == unit) }
            }
            #expect(try await store.occurrences(.all).count == all.count)
            #expect(try await store.occurrence(StoreFixtures.occurrence("h")) == nil)
            await #expect(throws: StateStoreError.self) {
                try await store.unit(UnitID(number: 99))
            }
        },
        StoreCase("definitions are read by campaign") { state in
            let store = try await state.open()
            try await fill(store)
            let later = try StoreFixtures.definition("f", title: "Later")
            let campaigns = Set(["a", "f"].compactMap(CampaignID.init))
            #expect(try await store.definitions(of: campaigns) == [later.campaign: later])
            #expect(try await store.definition(of: later.campaign) == later)
            let names = try await store.campaigns().map(\.rawValue).sorted()
            #expect(names == ["a", "b", "c", "d", "e", "f", "g", "h"])
            for name in names { #expect(try await store.contains(#require(CampaignID(name)))) }
            #expect(try await !store.contains(#require(CampaignID("i"))))
        },
        StoreCase("settled occurrences are counted") { state in
            let store = try await state.open()
            #expect(try await store.settledOccurrences().count == 0)
            try await fill(store)
            let counts = SettledOccurrences(
                finished: 2,
                cancelled: 1,
                expired: 1,
                compacted: 0,
                repeated: 1
            )
            #expect(try await store.settledOccurrences() == counts)
            let late = StoreFixtures.due.advanced(bySeconds: 1_000)
            #expect(try await store.compact(finishedBefore: late, at: late) == 3)
            #expect(try await store.settledOccurrences().compacted == 3)
        },
        StoreCase("the sends of an occurrence are listed by run") { state in
            let store = try await state.open()
            let (sale, other) = (
                try StoreFixtures.occurrence("sale"), try StoreFixtures.occurrence("other")
            )
            let runs = [
                try await store.beginRun(StoreFixtures.worker),
                try await store.beginRun(StoreFixtures.worker),
            ]
            for (number, run) in runs.enumerated() {
                for occurrence in [sale, other] {
                    let tally = StoreFixtures.tally([.accepted: number + 1])
                    try await store.record(
                        RunOccurrence(occurrence: occurrence, tally: tally),
                        in: run
                    )
                }
            }
            let sendings = try await store.sendings(of: sale)
            #expect(sendings.map(\.run) == runs)
            #expect(sendings.map(\.sending.tally[.accepted]) == [1, 2])
            #expect(sendings.allSatisfy { $0.sending.occurrence == sale })
            let none = try await store.sendings(of: StoreFixtures.occurrence("none"))
            #expect(none.isEmpty)
        },
        StoreCase("what guards compare with is read by itself") { state in
            let store = try await state.open()
            #expect(try await store.guards() == .none)
            let run = try await store.beginRun(StoreFixtures.worker)
            try await store.record([.pin(projectID: "shop-1")], in: run)
            #expect(try await store.guards() == AppliedGuards(projectID: "shop-1"))
            #expect(try await store.appliedState().guards == store.guards())
        },
        StoreCase("memberships are summed up without the rest of the state") { state in
            let store = try await state.open()
            let scope = try StoreFixtures.scope("all", "news")
            let members = try StoreFixtures.members(0..<3)
            try await store.beginJoin(members, in: scope)
            try await store.finishJoin(StoreFixtures.results(members), in: scope)
            let leaving = try await store.beginLeave(
                members.prefix(2).map(\.fingerprint) + [Fingerprint(high: 1, low: 1)],
                in: scope
            )
            #expect(leaving == Array(members.prefix(2)))
            let overview = try await store.membershipOverview()
            #expect(overview.summaries.map(\.counts) == [[.joined: 1, .leaving: 2]])
            #expect(overview.lastJoins == [scope.topic: StoreFixtures.due])
            let applied = try await store.appliedState()
            #expect(applied.memberships == overview.summaries)
            #expect(applied.lastJoins == overview.lastJoins)
        },
    ]
}
