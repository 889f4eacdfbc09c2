import Diagnostics
import TestSupport
import Testing
import Text

struct OutOfRangeTests {
    @Test(arguments: FieldDomain.all)
    func `a value just out of range is one finding on the value`(domain: FieldDomain) throws {
        let occurrence = try #require(domain.occurrence)
        for (text, rule) in domain.outside {
            let marked = MarkedText(text.contains("«") ? text : "«\(text)»")
            let result = Mutation.replacing(
                occurrence.valueRange,
                of: occurrence,
                with: marked.text
            ).run()
            let start = occurrence.valueRange.lowerBound
            let place = try #require(marked.places.first)
            let range = start + place.lowerBound..<start + place.upperBound
            #expect(result.findings == result.only(rule, at: range), "\(text)")
        }
    }

    @Test(arguments: FieldDomain.all)
    func `a value just within range is accepted`(domain: FieldDomain) throws {
        let occurrence = try #require(domain.occurrence)
        for text in domain.inside {
            let mutation = Mutation.replacing(occurrence.valueRange, of: occurrence, with: text)
            // The project reaches real devices, so another rule reports inline registrations.
            let findings = mutation.run().findings.filter { $0.rule != .registrationInFile }
            #expect(findings == [], "\(text)")
        }
    }

    @Test func `every field has a domain or is listed as unbounded`() {
        let known = Set(FieldDomain.all.map(\.field) + FieldDomain.unbounded)
        let declared = LanguageTable.all.flatMap { table in
            table.keys.map { "\(table.subject) \($0)" }
        }
        #expect(known == Set(declared))
    }
}

extension FieldDomain {
    /// The last occurrence in the sample without defaults, because others may refer to an earlier
    /// one.
    var occurrence: KeyOccurrence? {
        KeyOccurrence.ofLanguage.last {
            $0.sample == .everything && "\($0.table?.subject ?? "") \($0.name)" == field
        } ?? KeyOccurrence.ofLanguage.last { "\($0.table?.subject ?? "") \($0.name)" == field }
    }
}

extension FieldDomain: CustomTestStringConvertible {
    var testDescription: String { field }
}
