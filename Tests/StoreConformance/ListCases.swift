import CampaignModel
import FCMWire
import JSON
import State
import Testing

extension StoreCases {
    private static let list = ListID(text: String(repeating: "5a", count: 32))

    @discardableResult
    private static func open(
        _ campaign: String,
        count: Int,
        in store: any StateStore
    ) async throws -> WorkUnitRecord {
        let opened = OpenedOccurrence(
            id: try StoreFixtures.occurrence(campaign),
            due: StoreFixtures.due,
            message: [:],
            target: .registrations(list),
            count: count
        )
        return try await store.open(opened, in: try await store.beginRun(StoreFixtures.worker))
    }

    static let listCases = [
        StoreCase("returns any range of the appended registrations") { state in
            let store = try await state.open()
            let all = try StoreFixtures.registrations(0..<4_321)
            let draft = store.draftList(ListShape())
            var first = 0
            for sizes in [[1, 999], [], [1_000], [500, 1_000, 0, 821]] {
                draft.append(
                    sizes.map { size in
                        defer { first += size }
                        let rows = all[first..<first + size].map { RegistrationRow($0) }
                        return PackedRows(rows, columns: 0)
                    }
                )
            }
            try await draft.keep(as: list)
            let other = try await state.open()
            #expect(try await other.registrations(of: list, from: 0, count: 10_000) == all)
            for (start, count) in [
                (0, 1), (0, 1_000), (999, 2), (1, 999), (2_000, 1_501), (4_320, 1),
            ] {
                #expect(
                    try await other.registrations(of: list, from: start, count: count)
                        == Array(all[start..<start + count])
                )
            }
            #expect(try await other.registrations(of: list, from: 4_000, count: 500).count == 321)
            #expect(try await other.registrations(of: list, from: 4_321, count: 5).isEmpty)
        },
        StoreCase("returns the values of any range of rows") { state in
            let store = try await state.open()
            let odd = ["", "Ana", "a\nb", "{{x}}", "\"\\", "مرحبا", "🌊"]
            let all = try StoreFixtures.registrations(0..<2_345).enumerated().map { number, one in
                RegistrationRow(one, values: [odd[number % 7], "\(number)", "pt-BR"])
            }
            let shape = ListShape(.fid, columns: ["name", "number", "locale"])
            try await store.store(all, shape: shape, as: list)
            let other = try await state.open()
            #expect(try await other.shape(of: list) == shape)
            #expect(try await other.rows(of: list, from: 0, count: 9_999) == all)
            for (start, count) in [(0, 1), (999, 2), (1_499, 2), (2_344, 5)] {
                #expect(
                    try await other.rows(of: list, from: start, count: count)
                        == Array(all[start..<min(start + count, all.count)])
                )
                #expect(
                    try await other.registrations(of: list, from: start, count: count)
                        == all[start..<min(start + count, all.count)].map(\.registration)
                )
            }
        },
        StoreCase("returns the beginnings of lists in their order") { state in
            let store = try await state.open()
            let short = ListID(text: String(repeating: "6a", count: 32))
            let all = try StoreFixtures.registrations(0..<70).map { RegistrationRow($0) }
            let named = all[..<2].map { RegistrationRow($0.registration, values: ["Ana"]) }
            try await store.store(all, shape: ListShape(), as: list)
            try await store.store(named, shape: ListShape(.fid, columns: ["name"]), as: short)
            let other = try await state.open()
            let pages = try await other.beginnings(of: [short, list, short], count: 64)
            #expect(pages.map(\.rows) == [named, Array(all[..<64]), named])
            #expect(pages.map(\.shape.columns) == [["name"], [], ["name"]])
            let page = try await other.page(of: list, from: 64, count: 64)
            #expect(page.rows == Array(all[64...]))
            #expect(try await other.storedLists() == [list, short])
            let missing = ListID(text: String(repeating: "6b", count: 32))
            await #expect(throws: StateStoreError.self) {
                try await other.beginnings(of: [list, missing], count: 64)
            }
        },
        StoreCase("a long list is like a short one") { state in
            let store = try await state.open()
            let all = try StoreFixtures.registrations(0..<60_000)
            try await store.store(all, as: list)
            let other = try await state.open()
            #expect(try await other.registrations(of: list, from: 0, count: 60_000) == all)
            for (start, count) in [(0, 1), (29_999, 2), (31_234, 4_096), (59_999, 9)] {
                #expect(
                    try await other.registrations(of: list, from: start, count: count)
                        == Array(all[start..<min(start + count, all.count)])
                )
            }
        },
        StoreCase("a draft that is not kept is not part of the state") { state in
            let store = try await state.open()
            let before = try await store.version()
            let draft = store.draftList(ListShape())
            let rows = try StoreFixtures.registrations(0..<5).map { RegistrationRow($0) }
            draft.append([PackedRows(rows, columns: 0)])
            #expect(try await store.version() == before)
            #expect(try await !store.hasList(list))
        },
        StoreCase("keeps the bytes of values that differ only in their normalization") { state in
            let store = try await state.open()
            let names = [
                "\u{E9}", "e\u{301}", "\u{E9}", "\u{212B}", "\u{C5}", "e\u{301}", "A\u{30A}",
            ]
            let all = try zip(StoreFixtures.registrations(0..<7), names).map {
                RegistrationRow($0, values: [$1])
            }
            try await store.store(all, shape: ListShape(.token, columns: ["name"]), as: list)
            let read = try await store.rows(of: list, from: 0, count: 9).map { $0.values[0] }
            #expect(read.map { Array($0.utf8) } == names.map { Array($0.utf8) })
        },
        StoreCase("an unused list is replaced by another draft") { state in
            let store = try await state.open()
            let all = try StoreFixtures.registrations(0..<30)
            try await store.store(Array(all[..<20]), as: list)
            #expect(try await !store.keepStoredList(list))
            try await store.store(all, as: list)
            #expect(try await store.registrations(of: list, from: 0, count: 99) == all)
        },
        StoreCase("an occurrence starts only with the whole list") { state in
            let store = try await state.open()
            await #expect(throws: StateStoreError.self) {
                try await open("sale", count: 5, in: store)
            }
            try await store.store(StoreFixtures.registrations(0..<5), as: list)
            await #expect(throws: StateStoreError.self) {
                try await open("sale", count: 6, in: store)
            }
            #expect(try await store.appliedState().occurrences.isEmpty)
            #expect(try await open("sale", count: 5, in: store).target == .registrations(list))
        },
        StoreCase("a list is kept until its last occurrence is closed") { state in
            let store = try await state.open()
            let all = try StoreFixtures.registrations(0..<5)
            for campaign in ["one", "two"] {
                try await store.store(all, as: list)
                try await open(campaign, count: 5, in: store)
                #expect(try await store.registrations(of: list, from: 0, count: 9) == all)
            }
            try await store.close(StoreFixtures.occurrence("one"), as: .finished)
            #expect(try await store.registrations(of: list, from: 0, count: 9) == all)
            try await store.close(StoreFixtures.occurrence("two"), as: .finished)
            let left = try? await store.registrations(of: list, from: 0, count: 9)
            #expect(left?.isEmpty ?? true)
        },
        StoreCase("a list that one occurrence reads is kept for another") { state in
            let store = try await state.open()
            let all = try StoreFixtures.registrations(0..<5)
            #expect(try await !store.keepStoredList(list))
            try await store.store(all, as: list)
            try await open("one", count: 5, in: store)
            #expect(try await store.keepStoredList(list))
            try await store.close(StoreFixtures.occurrence("one"), as: .finished)
            try await open("two", count: 5, in: store)
            #expect(try await store.registrations(of: list, from: 0, count: 9) == all)
        },
        StoreCase("a draft of a list that an occurrence reads is not needed") { state in
            let store = try await state.open()
            let all = try StoreFixtures.registrations(0..<5)
            try await store.store(all, as: list)
            try await open("one", count: 5, in: store)
            try await store.store(all, as: list)
            try await store.close(StoreFixtures.occurrence("one"), as: .finished)
            try await open("two", count: 5, in: store)
            #expect(try await store.registrations(of: list, from: 0, count: 9) == all)
        },
    ]
}
