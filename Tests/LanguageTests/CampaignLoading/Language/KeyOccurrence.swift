import Diagnostics
import Testing
import YAMLSyntax

@testable import CampaignLoading

/// One entry of the sample documents.
struct KeyOccurrence: Sendable {
    let sample: SampleSet
    let file: Int
    let document: LanguageTable.Document
    /// From the document's root to this key; `*` is an element of a list.
    let path: [String]
    let key: Range<Int>
    let value: SyntaxNode
    /// Whether it is in `{…}` instead of on its own line.
    let isInBraces: Bool
    /// The table that declares the key; nil if the key is the author's.
    let table: LanguageTable?

    var name: String { path.last ?? "" }
    var valueRange: Range<Int> { value.span.start..<value.span.end }
}

extension KeyOccurrence: CustomTestStringConvertible {
    var testDescription: String {
        "\(sample.files[file].path) \(path.joined(separator: ".")) at \(key.lowerBound)"
    }
}

/// The sets of sample documents.
enum SampleSet: CaseIterable, Sendable {
    case everything
    case defaults
    case otherDefaults

    var files: [(path: String, text: String)] {
        switch self {
        case .everything: SampleProject.files
        case .defaults: SampleProject.filesWithDefaults
        case .otherDefaults: SampleProject.filesWithOtherDefaults
        }
    }
}

extension KeyOccurrence {
    static let all = SampleSet.allCases.flatMap { sample in
        sample.files.indices.flatMap { occurrences(in: $0, of: sample) }
    }

    /// The occurrences whose keys the language declares.
    static let ofLanguage = all.filter { $0.table != nil }

    /// Returns the last key of a table, to insert others after it.
    static func last(of table: LanguageTable) -> KeyOccurrence? {
        ofLanguage.last {
            $0.table?.document == table.document && $0.table?.place == table.place
        }
    }

    private static func occurrences(in file: Int, of sample: SampleSet) -> [KeyOccurrence] {
        let bytes = Array(sample.files[file].text.utf8)
        var log = DiagnosticLog()
        let tree = YAMLParser.parse(bytes, source: SourceID(index: UInt32(file)), into: &log)
        return (tree?.documents ?? []).flatMap { root -> [KeyOccurrence] in
            let first = root.entries?.first?.key.scalar?.text ?? ""
            let document = file == 0 ? .project : LanguageTable.Document(rawValue: first)
            guard let document else { return [] }
            var walk = Walk(sample: sample, file: file, document: document, bytes: bytes)
            walk.visit(root, at: [])
            return walk.found
        }
    }

    private struct Walk {
        let sample: SampleSet
        let file: Int
        let document: LanguageTable.Document
        let bytes: [UInt8]
        var found: [KeyOccurrence] = []

        mutating func visit(_ node: SyntaxNode, at path: [String]) {
            for element in node.elements ?? [] { visit(element, at: path + ["*"]) }
            for entry in node.entries ?? [] {
                let place = path + [entry.key.scalar?.text ?? ""]
                found.append(
                    KeyOccurrence(
                        sample: sample,
                        file: file,
                        document: document,
                        path: place,
                        key: entry.key.span.start..<entry.key.span.end,
                        value: entry.value,
                        isInBraces: bytes[node.span.start] == UInt8(ascii: "{"),
                        table: table(of: place)
                    )
                )
                visit(entry.value, at: place)
            }
        }

        private func table(of path: [String]) -> LanguageTable? {
            (LanguageTable.all + LanguageTable.patches).first {
                $0.stands(at: path.dropLast(), in: document) && $0.keys.contains(path.last ?? "")
            }
        }
    }
}
