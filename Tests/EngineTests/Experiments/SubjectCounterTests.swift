import Experiments
import State
import Testing

struct SubjectCounterTests {
    private func counts(_ rows: [(UInt64, UInt8)], mayRepeat: Bool = true) -> SubjectCounts {
        var counter = SubjectCounter(arms: 2, mayRepeat: mayRepeat)
        counter.add(
            ExposedSubjects(
                registrations: rows.map(\.0),
                subjects: rows.map(\.0),
                arms: rows.map(\.1)
            )
        )
        return counter.finish()
    }

    @Test func `counts a subject with several rows once`() {
        let found = counts([(5, 0), (3, 0), (5, 0), (9, 1), (3, 0)])
        #expect(found.counts == [2, 1])
        #expect(found.conflicts.isEmpty)
    }

    @Test func `counts a subject in two arms for none`() {
        let found = counts([(5, 0), (5, 1), (6, 1), (7, 0)])
        #expect(found.counts == [1, 1])
        #expect(found.conflicts == [5])
    }

    @Test func `leaves out erased rows and rows without an arm`() {
        let found = counts([(0, 0), (4, ExperimentRecord.noArm), (8, 1)])
        #expect(found.counts == [0, 1])
        #expect(found.erased == 1)
    }

    @Test func `counts rows if each is a subject`() {
        #expect(counts([(5, 0), (6, 0), (7, 1)], mayRepeat: false).counts == [2, 1])
    }
}
