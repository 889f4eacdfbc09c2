import CampaignModel
import FCMWire
import JSON
import State
import Testing

extension StoreCases {
    fileprivate static func asked(
        _ resolution: Resolution,
        _ unknown: Int,
        of campaign: String = "sale",
        by user: String = "ada"
    ) throws -> RequestedResolution {
        RequestedResolution(
            occurrence: try StoreFixtures.occurrence(campaign),
            resolution: resolution,
            unknown: unknown,
            user: user,
            host: "desk",
            at: StoreFixtures.due
        )
    }

    /// Of six requests, 1, 3 and 5 are unknown and the others are accepted.
    fileprivate static func opened(
        _ store: any StateStore,
        campaign: String = "sale"
    ) async throws -> UnitID {
        let unit = try await StoreFixtures.openedUnit(store, campaign: campaign, count: 6).id
        let outcomes = (0..<6).map { number in
            number.isMultiple(of: 2)
                ? RequestOutcome(index: number, outcome: .accepted)
                : RequestOutcome(index: number, outcome: .unknown, detail: "503")
        }
        try await store.record(outcomes, released: 6, of: unit)
        return unit
    }

    static let requestCases = [
        StoreCase("a resolution is requested once, for the requests that its author saw") { state in
            let (store, other) = (try await state.open(), try await state.open())
            _ = try await opened(store)
            #expect(try await !other.request(asked(.drop, 2)))
            #expect(try await other.request(asked(.drop, 3)))
            #expect(try await !other.request(asked(.sent, 3, by: "bob")))
            #expect(try await store.requestedResolutions() == [asked(.drop, 3)])
            #expect(try await store.appliedState().resolutions == [asked(.drop, 3)])
        },
        StoreCase("returns resolutions in the order of their requests") { state in
            let store = try await state.open()
            for campaign in ["b", "a", "c"] { _ = try await opened(store, campaign: campaign) }
            let all = try ["b", "c", "a"].map { try asked(.resend, 3, of: $0) }
            for one in all { #expect(try await store.request(one)) }
            #expect(try await store.requestedResolutions() == all)
        },
        StoreCase("an occurrence that has not started cannot be resolved") { state in
            let store = try await state.open()
            let id = try StoreFixtures.occurrence("sale")
            try await store.record(
                [.schedule(id, due: StoreFixtures.due)],
                in: store.beginRun(StoreFixtures.worker)
            )
            await #expect(throws: StateStoreError.self) { try await store.request(asked(.drop, 0)) }
        },
        StoreCase("an occurrence is held and released") { state in
            let store = try await state.open()
            _ = try await opened(store)
            let id = try StoreFixtures.occurrence("sale")
            for hold in [Hold.mostlyDead, .refusedPayload, nil] {
                try await store.hold(id, with: hold)
                #expect(try await state.open().appliedState().occurrences[id]?.hold == hold)
            }
            await #expect(throws: StateStoreError.self) {
                try await store.hold(StoreFixtures.occurrence("other"), with: .mostlyDead)
            }
        },
    ]

    static let resolutionCases = [
        StoreCase("unknown requests get the requested outcome and are counted") { state in
            let store = try await state.open()
            for expected in [
                Resolved(by: .sent, as: .accepted, detail: "resolved: sent"),
                Resolved(by: .resend, as: .returned),
                Resolved(by: .drop, as: .cancelled, detail: "resolved: dropped"),
            ] {
                try await expected.check(in: store)
            }
        },
        StoreCase("a resolution lifts the hold") { state in
            let store = try await state.open()
            _ = try await opened(store)
            let id = try StoreFixtures.occurrence("sale")
            try await store.hold(id, with: .mostlyDead)
            _ = try await store.perform(asked(.resend, 3), in: store.beginRun(StoreFixtures.worker))
            #expect(try await store.appliedState().occurrences[id]?.hold == nil)
        },
        StoreCase("a finished occurrence resumes only for requests to resend") { state in
            let store = try await state.open()
            for (resolution, status) in [
                (Resolution.resend, OccurrenceStatus.dispatching), (.sent, .finished),
                (.drop, .finished),
            ] {
                let campaign = "c\(resolution.rawValue)"
                let id = try StoreFixtures.occurrence(campaign)
                _ = try await opened(store, campaign: campaign)
                try await store.close(id, as: .finished)
                let run = try await store.beginRun(StoreFixtures.worker)
                _ = try await store.perform(asked(resolution, 3, of: campaign), in: run)
                #expect(try await store.appliedState().occurrences[id]?.status == status)
            }
        },
        StoreCase("a resolution for a different number of requests changes nothing") { state in
            let store = try await state.open()
            let unit = try await opened(store)
            #expect(try await store.request(asked(.drop, 3)))
            try await store.record(
                [RequestOutcome(index: 0, outcome: .unknown)],
                released: nil,
                of: unit
            )
            let before = try await store.appliedState().occurrences
            let run = try await store.beginRun(StoreFixtures.worker)
            #expect(try await store.perform(asked(.drop, 3), in: run) == OutcomeTally())
            #expect(try await store.appliedState().occurrences == before)
            #expect(try await store.requestedResolutions().isEmpty)
        },
        StoreCase("a list is kept while one of its requests is unknown or it is held") { state in
            let store = try await state.open()
            let list = ListID(text: String(repeating: "3c", count: 32))
            let all = try StoreFixtures.registrations(0..<2)
            try await store.store(all, as: list)
            let id = try StoreFixtures.occurrence("sale")
            let opened = OpenedOccurrence(
                id: id,
                due: StoreFixtures.due,
                message: [:],
                target: .registrations(list),
                count: 2
            )
            let run = try await store.beginRun(StoreFixtures.worker)
            let unit = try await store.open(opened, in: run).id
            try await store.record(
                [RequestOutcome(index: 1, outcome: .unknown)],
                released: 2,
                of: unit
            )
            try await store.close(id, as: .finished)
            #expect(try await store.registrations(of: list, from: 0, count: 9) == all)
            _ = try await store.perform(asked(.drop, 1), in: run)
            #expect((try? await store.registrations(of: list, from: 0, count: 9))?.isEmpty ?? true)
        },
    ]
}

/// The outcomes after a resolution of the unknown requests 1, 3 and 5 of a list of 6.
private struct Resolved {
    let resolution: Resolution
    let outcome: Outcome
    let detail: String?

    init(by resolution: Resolution, as outcome: Outcome, detail: String? = nil) {
        self.resolution = resolution
        self.outcome = outcome
        self.detail = detail
    }

    func check(in store: any StateStore) async throws {
        let campaign = "c\(resolution.rawValue)"
        let unit = try await StoreCases.opened(store, campaign: campaign)
        try await perform(try StoreCases.asked(resolution, 3, of: campaign), in: store)
        let found = try await store.requests(of: unit, with: outcome, limit: 9)
            .filter { !$0.index.isMultiple(of: 2) }
        let expected = [1, 3, 5].map {
            RequestOutcome(index: $0, outcome: outcome, detail: detail)
        }
        #expect(found == expected)
        let record = try await StoreFixtures.unit(of: campaign, in: store)
        #expect(record.tally[.unknown] == 0 && record.tally.total == 6)
        #expect(record.released == 6)
        #expect(try await store.requestedResolutions().isEmpty)
    }

    private func perform(
        _ wanted: RequestedResolution,
        in store: any StateStore
    ) async throws {
        #expect(try await store.request(wanted))
        let run = try await store.beginRun(StoreFixtures.worker)
        #expect(try await store.perform(wanted, in: run) == StoreFixtures.tally([outcome: 3]))
    }
}
