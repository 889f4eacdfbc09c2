import Diagnostics
import TestSupport
import Testing
import Text

struct DoubledKeyTests {
    @Test(arguments: KeyOccurrence.all.generatedCases)
    func `a duplicate key is one finding on the second key`(occurrence: KeyOccurrence) {
        let bytes = Array(occurrence.sample.files[occurrence.file].text.utf8)
        let entry = bytes[occurrence.key.lowerBound..<occurrence.valueRange.upperBound]
        let added = Mutation.adding(Array(entry), behind: occurrence)
        let key = added.range.lowerBound..<added.range.lowerBound + occurrence.key.count
        let result = added.mutation.run()
        #expect(result.findings == result.only(.duplicateKey, at: key))
        let related = result.diagnostics.flatMap(\.related).map(\.span)
        #expect(related.map { $0.start..<$0.end } == [occurrence.key])
    }
}
