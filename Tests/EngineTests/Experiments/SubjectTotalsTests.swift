import State
import Statistics
import Testing

@testable import Experiments

struct SubjectTotalsTests {
    private static let arms = 2

    /// `rows`: subjects with their arms; `limit`: how many rows are held in memory.
    private func totals(
        _ rows: [(subject: UInt64, arm: UInt8)],
        values: [UInt64: Double] = [:],
        covariate: (UInt64) -> Double = { _ in .nan },
        limit: Int = SubjectSort.standardLimit
    ) throws -> SubjectTotals {
        var sort = SubjectSort(folder: "/tmp", limit: limit)
        for (number, row) in rows.enumerated() {
            try sort.append(
                SubjectSort.Row(
                    subject: row.subject,
                    number: number,
                    arm: row.arm,
                    covariate: covariate(row.subject)
                )
            )
        }
        let sorted = sort.finish()
        var totals = SubjectTotals(arms: Self.arms)
        for group in 0..<SubjectSort.groups {
            var rest = try sorted.rows(inGroup: group)[...]
            while let first = rest.first {
                let same = rest.prefix { $0.subject == first.subject }
                rest = rest.dropFirst(same.count)
                totals.add(same, value: values[first.subject])
            }
        }
        return totals
    }

    private func subjects(_ rows: [(subject: UInt64, arm: UInt8)]) throws -> [Int] {
        try totals(rows).arms.map(\.subjects)
    }

    @Test func `counts a subject with several rows once`() throws {
        let found = try totals([(5, 0), (3, 0), (5, 0), (9, 1), (3, 0)])
        #expect(found.arms.map(\.subjects) == [2, 1])
        #expect(found.conflicts == 0)
    }

    @Test func `counts a subject in two arms for none`() throws {
        let found = try totals([(5, 0), (5, 1), (6, 1), (7, 0)], values: [5: 1, 6: 2])
        #expect(found.arms.map(\.subjects) == [1, 1])
        #expect(found.arms.map(\.successes) == [0, 1])
        #expect(found.conflicts == 1)
    }

    @Test func `leaves out rows without an arm`() throws {
        #expect(try subjects([(4, ExperimentRecord.noArm), (8, 1)]) == [0, 1])
    }

    @Test func `counts the same with rows in a file`() throws {
        // A hash of the number, so that all groups have subjects.
        let rows = (0..<10_000).map { number in
            let subject = UInt64(number / 2) &* 0x9E37_79B9_7F4A_7C15 | 1
            return (subject: subject, arm: UInt8(subject >> 20 & 1))
        }
        let values = Dictionary(
            rows.filter { $0.subject >> 21 & 3 == 0 }.map { ($0.subject, 0.5) },
            uniquingKeysWith: { first, _ in first }
        )
        let whole = try totals(rows, values: values, covariate: { Double($0 >> 50) })
        #expect(whole.arms.reduce(0) { $0 + $1.subjects } == 5_000)
        for limit in [1, 7, 999, 9_999] {
            let parts = try totals(
                rows,
                values: values,
                covariate: { Double($0 >> 50) },
                limit: limit
            )
            #expect(parts.arms.map(\.subjects) == whole.arms.map(\.subjects), "\(limit)")
            #expect(parts.arms.map(\.sum) == whole.arms.map(\.sum), "\(limit)")
            #expect(parts.arms.map(\.values) == whole.arms.map(\.values), "\(limit)")
        }
    }

    @Test func `has subjects in the order of signed numbers`() throws {
        var sort = SubjectSort(folder: "/tmp", limit: 2)
        for (number, subject) in [3, UInt64.max, 1 << 63, 0x7FFF_FFFF_FFFF_FFFF, 1].enumerated() {
            try sort.append(SubjectSort.Row(subject: subject, number: number, arm: 0))
        }
        let sorted = sort.finish()
        let all = try (0..<SubjectSort.groups).flatMap { try sorted.rows(inGroup: $0) }
        #expect(all.map(\.subject) == [1 << 63, UInt64.max, 1, 3, 0x7FFF_FFFF_FFFF_FFFF])
    }

    @Test func `the first row of a subject has its covariate`() throws {
        var sort = SubjectSort(folder: "/tmp", limit: 1)
        for (number, covariate) in [7.0, 100].enumerated() {
            try sort.append(
                SubjectSort.Row(subject: 4, number: number, arm: 1, covariate: covariate)
            )
        }
        let sorted = sort.finish()
        let group = Int((UInt64(4) ^ 1 << 63) >> 56)
        var totals = SubjectTotals(arms: Self.arms)
        totals.add(try sorted.rows(inGroup: group)[...], value: 2)
        #expect(totals.arms[1].values.mean == 7)
        #expect(totals.arms[1].values.count == 1)
    }
}
