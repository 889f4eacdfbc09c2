import Diagnostics
import TestSupport
import Testing

@testable import CampaignLoading

struct MisspeltKeyTests {
    @Test(arguments: KeyOccurrence.ofLanguage.generatedCases)
    func `a misspelled key is one finding on the key with a suggestion`(
        occurrence: KeyOccurrence
    ) {
        for word in Misspelling.all(of: occurrence.name) {
            let result = Mutation.replacing(occurrence.key, of: occurrence, with: word).run()
            let start = occurrence.key.lowerBound
            let place = start..<start + word.utf8.count
            let rule = isFirstOfDocument(occurrence) ? RuleID.unknownDocument : .unknownKey
            #expect(result.findings == result.only(rule, at: place), "\(word)")
            #expect(result.diagnostics.first?.fix?.replacement == occurrence.name, "\(word)")
        }
    }

    @Test(arguments: LanguageTable.all)
    func `a word that resembles no key has no suggestion`(table: LanguageTable) throws {
        let neighbour = try #require(KeyOccurrence.last(of: table))
        let entry = "wholly-unlike-anything: 1"
        let isFree = AuthorNames.mixedSubjects.contains(table.subject)
        let added = Mutation.adding(Array(entry.utf8), behind: neighbour)
        let key = added.range.lowerBound..<added.range.lowerBound + "wholly-unlike-anything".count
        let result = added.mutation.run()
        #expect(result.findings == (isFree ? [] : result.only(.unknownKey, at: key)))
        #expect(result.diagnostics.allSatisfy { $0.fix == nil })
    }

    @Test(arguments: LanguageTable.all)
    func `a key that begins with x- is accepted everywhere`(table: LanguageTable) throws {
        let neighbour = try #require(KeyOccurrence.last(of: table))
        let added = Mutation.adding(Array("x-note: { any: [thing] }".utf8), behind: neighbour)
        #expect(added.mutation.run().findings == [])
    }

    /// The first key determines the kind of a document; the project file has no such key.
    private func isFirstOfDocument(_ occurrence: KeyOccurrence) -> Bool {
        occurrence.document != .project && occurrence.path == [occurrence.document.rawValue]
    }
}

/// Typical misspellings; always the same for a word.
enum Misspelling {
    static func all(of word: String) -> [String] {
        [swapped(word), dropped(word), inserted(word)].compactMap { $0 }
    }

    /// Swaps two different neighbours, as near to the middle as possible.
    private static func swapped(_ word: String) -> String? {
        var letters = Array(word)
        let pairs = letters.indices.dropLast().filter { letters[$0] != letters[$0 + 1] }
        guard let pair = pairs.dropFirst(pairs.count / 2).first else { return nil }
        letters.swapAt(pair, pair + 1)
        return String(letters)
    }

    private static func dropped(_ word: String) -> String? {
        var letters = Array(word)
        letters.remove(at: letters.count / 2)
        return String(letters)
    }

    private static func inserted(_ word: String) -> String? {
        var letters = Array(word)
        letters.insert("q", at: letters.count / 2)
        return String(letters)
    }
}

extension LanguageTable: CustomTestStringConvertible {
    var testDescription: String { "\(document) \(place.joined(separator: "."))" }
}
