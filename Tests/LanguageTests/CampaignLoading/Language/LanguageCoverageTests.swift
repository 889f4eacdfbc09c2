import Testing

struct LanguageCoverageTests {
    @Test(arguments: SampleSet.allCases)
    func `the sample documents have no findings`(sample: SampleSet) {
        let loaded = LoadedFiles(sample.files, directory: SampleLists.directory)
        #expect(loaded.errors == [])
    }

    @Test func `the sample documents use every key of the language`() {
        let used = Set(KeyOccurrence.ofLanguage.map { "\($0.document) \(Self.pattern($0))" })
        let declared = LanguageTable.all.flatMap { table in
            table.keys.map { "\(table.document) \((table.place + [$0]).joined(separator: "."))" }
        }
        // Excludes `ttl`, which is present.
        let alternatives = ["project defaults.delivery.expires"]
        #expect(declared.filter { !used.contains($0) } == alternatives)
        #expect(declared.count > 140)
    }

    @Test func `every other key in the sample documents is listed as the author's`() {
        let strangers = KeyOccurrence.all.filter { $0.table == nil && !AuthorNames.contain($0) }
        #expect(strangers.map(\.testDescription) == [])
    }

    private static func pattern(_ occurrence: KeyOccurrence) -> String {
        ((occurrence.table?.place ?? []) + [occurrence.name]).joined(separator: ".")
    }
}
