import CampaignLoading
import Diagnostics
import TestSupport

/// The sample documents with one place changed.
struct Mutation {
    private let occurrence: KeyOccurrence
    private let text: [UInt8]

    private init(_ occurrence: KeyOccurrence, _ text: [UInt8]) {
        self.occurrence = occurrence
        self.text = text
    }

    /// Replaces a part of the occurrence's file.
    static func replacing(
        _ range: Range<Int>,
        of occurrence: KeyOccurrence,
        with replacement: String
    ) -> Mutation {
        var text = Array(occurrence.sample.files[occurrence.file].text.utf8)
        text.replaceSubrange(range, with: replacement.utf8)
        return Mutation(occurrence, text)
    }

    /// Inserts an entry after the occurrence's; the range is that of the new entry.
    static func adding(
        _ entry: [UInt8],
        behind occurrence: KeyOccurrence
    ) -> (mutation: Mutation, range: Range<Int>) {
        var text = Array(occurrence.sample.files[occurrence.file].text.utf8)
        let lineStart =
            text[..<occurrence.key.lowerBound].lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0
        let column = occurrence.key.lowerBound - lineStart
        let separator =
            occurrence.isInBraces ? ", " : "\n" + String(repeating: " ", count: column)
        let place = occurrence.valueRange.upperBound
        text.insert(contentsOf: separator.utf8 + entry, at: place)
        let start = place + separator.utf8.count
        return (Mutation(occurrence, text), start..<start + entry.count)
    }

    /// Returns the findings in the changed file, loaded with the project file.
    ///
    /// If the project file is the changed one, all others are loaded too.
    func run() -> MutationResult {
        let files = occurrence.sample.files.enumerated().filter { number, _ in
            number == 0 || number == occurrence.file || occurrence.file == 0
        }
        let sources = files.map { number, file in
            (
                path: file.path,
                result: Result<[UInt8], FileProblem>.success(
                    number == occurrence.file ? text : Array(file.text.utf8)
                )
            )
        }
        let loaded = ProjectLoader(zones: systemZones).load(sources)
        return MutationResult(
            path: occurrence.sample.files[occurrence.file].path,
            diagnostics: LoadedFiles.check(loaded, directory: SampleLists.directory)
                .filter { $0.severity == .error },
            catalog: loaded.catalog
        )
    }
}

/// The errors in mutated documents; advice about a message's content is not included.
struct MutationResult {
    let path: String
    let diagnostics: [Diagnostic]
    let catalog: SourceCatalog

    var findings: [Finding] { diagnostics.map { Finding($0, catalog) } }

    /// One finding in the file that was changed.
    func only(_ rule: RuleID, at range: Range<Int>) -> [Finding] {
        [Finding(rule: rule, path: path, range: range)]
    }
}

/// The directory of the sample's lists.
enum SampleLists {
    private static let folder: TemporaryFolder? = {
        let folder = try? TemporaryFolder()
        for file in SampleProject.listFiles { try? folder?.write(file.path, file.text) }
        return folder
    }()

    static var directory: String { folder?.path ?? "" }
}
