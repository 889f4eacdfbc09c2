import CampaignModel
import JSON
import State
import Testing
import Time

extension StoreCases {
    private static let begins = StoreFixtures.due
    private static let experiment = ExperimentRecord(
        name: "sale",
        arms: [
            ExperimentRecord.Arm(.heldOut, weight: 1_000),
            ExperimentRecord.Arm(.variant("b"), weight: 9_000),
            ExperimentRecord.Arm(.heldOutGlobally, weight: 0),
        ]
    )

    private static func exposed(
        _ store: any StateStore,
        people: ListPeople,
        covariates: [Double]? = nil
    ) async throws -> Exposure {
        let unit = try await StoreFixtures.openedUnit(store, count: people.count)
        let exposure = Exposure(
            unit: unit.id,
            occurrence: try StoreFixtures.occurrence("sale"),
            experiment: experiment,
            people: try await store.keepMembers(people),
            count: people.count,
            begins: begins
        )
        try await store.expose(
            exposure,
            arms: people.keys.map { UInt8($0 % 2) },
            covariates: covariates
        )
        return exposure
    }

    private static func outcome(
        _ event: UInt64,
        of exposure: Exposure,
        subject: UInt64,
        value: Double? = nil
    ) -> SubjectOutcome {
        SubjectOutcome(
            event: Fingerprint(high: event, low: 7),
            unit: exposure.unit,
            subject: subject,
            arm: UInt8(subject % 2),
            name: "purchase",
            time: begins.advanced(bySeconds: Int64(event % 1_000)),
            value: value
        )
    }

    static let experimentCases = [
        StoreCase("keeps the arms of an occurrence's subjects") { state in
            let store = try await state.open()
            let many = ListPeople(
                registrations: (1...40_000).map { UInt64($0) << 40 },
                identities: (1...40_000).map { UInt64.max - UInt64($0 / 2) }
            )
            let exposure = try await exposed(store, people: many)
            // A unit keeps its first arms.
            try await store.expose(exposure, arms: many.keys.map { _ in 0 })
            let reader = try await state.open()
            #expect(try await reader.exposure(of: exposure.unit) == exposure)
            #expect(try await reader.exposures(of: nil) == [exposure])
            #expect(try await reader.exposures(of: CampaignID("other")) == [])
            var (subjects, arms): ([UInt64], [UInt8]) = ([], [])
            while let part = try await reader.subjects(of: exposure, from: arms.count) {
                subjects += part.subjects
                arms += part.arms
            }
            #expect(subjects == many.keys)
            #expect(arms == many.keys.map { UInt8($0 % 2) })
            #expect(try await reader.subjects(of: exposure, from: 0)?.covariates == nil)
        },
        StoreCase("keeps the numbers from before an experiment") { state in
            let store = try await state.open()
            let many = ListPeople(registrations: (1...40_000).map { UInt64($0) << 40 })
            let numbers = (0..<40_000).map { Double($0) * 0.1 - 7 }
            let exposure = try await exposed(store, people: many, covariates: numbers)
            let reader = try await state.open()
            var (covariates, arms): ([Double], [UInt8]) = ([], [])
            while let part = try await reader.subjects(of: exposure, from: arms.count) {
                covariates += part.covariates ?? []
                arms += part.arms
            }
            #expect(covariates == numbers)
            #expect(arms == many.keys.map { UInt8($0 % 2) })
        },
        StoreCase("stores an outcome once") { state in
            let store = try await state.open()
            let exposure = try await exposed(store, people: ListPeople(registrations: [1, 2, 3]))
            let high = UInt64.max
            let outcomes = [
                outcome(1, of: exposure, subject: 1, value: 2.5),
                outcome(2, of: exposure, subject: 1, value: 0.25),
                outcome(3, of: exposure, subject: 2),
                outcome(high, of: exposure, subject: high),
            ]
            #expect(try await store.record(Array(outcomes.prefix(3))) == 3)
            #expect(try await store.record(outcomes) == 1)
            let summary = try await state.open().outcomes(of: [exposure.unit])
            #expect(
                summary == [
                    OutcomeSummary(
                        name: "purchase",
                        events: 4,
                        values: 2,
                        first: begins.advanced(bySeconds: 1),
                        last: begins.advanced(bySeconds: Int64(high % 1_000))
                    )
                ]
            )
            var sums: [SubjectSum] = []
            while true {
                let page = try await store.sums(
                    of: "purchase",
                    in: [exposure.unit],
                    after: sums.last?.subject,
                    limit: 1
                )
                if page.isEmpty { break }
                sums += page
            }
            // Subjects are signed numbers in the tables.
            #expect(sums.map(\.subject) == [high, 1, 2])
            #expect(sums.first { $0.subject == 1 }?.value == 2.75)
            #expect(try await store.outcomes(of: []) == [])
        },
        StoreCase("keeps the first plan of a result, and its looks") { state in
            let store = try await state.open()
            let name = ResultName(
                campaign: try #require(CampaignID("sale")),
                experiment: "sale",
                outcome: "purchase"
            )
            let plan = ResultPlan(
                measure: .share(rate: 0.04),
                smallestDifference: 0.004,
                wantsLess: true,
                audience: 1_000
            )
            let other = ResultPlan(
                measure: .mean(deviation: 12.5),
                smallestDifference: 1,
                audience: 2
            )
            #expect(try await store.plan(of: name) == nil)
            #expect(try await store.fix(plan, of: name) == plan)
            #expect(try await store.fix(other, of: name) == plan)
            #expect(try await state.open().plan(of: name) == plan)
            let first = ResultLook(time: begins, content: ["n": 1])
            let second = ResultLook(time: begins.advanced(bySeconds: 60), content: ["n": 2])
            try await store.record(first, of: name)
            // The same content is one look.
            try await store.record(
                ResultLook(time: begins.advanced(bySeconds: 30), content: ["n": 1]),
                of: name
            )
            try await store.record(second, of: name)
            #expect(try await state.open().looks(of: name) == [first, second])
        },
        StoreCase("keeps the people of an experiment") { state in
            let store = try await state.open()
            let exposure = try await exposed(store, people: ListPeople(registrations: [1, 2]))
            try await store.close(exposure.occurrence, as: .finished)
            let run = try await store.beginRun(StoreFixtures.worker)
            try await store.finishRun(
                run,
                as: RunEnd(
                    status: .complete,
                    tally: OutcomeTally(),
                    at: begins.advanced(bySeconds: 40 * 86_400)
                )
            )
            #expect(try await store.subjects(of: exposure, from: 0)?.subjects == [1, 2])
        },
    ]
}
