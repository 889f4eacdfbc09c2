package import CampaignModel
import Diagnostics
import YAMLSyntax

/// Inserts the lineage of an environment's state into the text of `herald.yaml`.
///
/// All other bytes are unchanged. It uses the first possible place with which the text has its
/// previous meaning plus the lineage. To handle aliases, merge keys and comments, each result is
/// parsed again and compared.
package struct LineageEdit {
    private let bytes: [UInt8]
    private let root: SyntaxNode

    /// nil if the text is not a project file.
    package init?(_ bytes: [UInt8]) {
        guard let root = Self.root(of: bytes), root.entries != nil else { return nil }
        self.bytes = bytes
        self.root = root
    }

    /// Returns the text with the lineage; nil if no place is certain.
    package func adding(_ lineage: String, to environment: EnvironmentID) -> [UInt8]? {
        let path = [Self.environments, environment.rawValue, Self.state, Self.lineage]
        let wanted = YAMLMeaning(root).setting(path[...], to: lineage)
        return places(for: lineage, in: environment.rawValue).lazy
            .map { $0.made(in: bytes) }
            .first { Self.root(of: $0).map(YAMLMeaning.init) == wanted }
    }

    private static let environments = "environments"
    private static let state = "state"
    private static let lineage = "lineage"

    /// Returns the root; nil if the text has errors, such as duplicate keys.
    private static func root(of bytes: [UInt8]) -> SyntaxNode? {
        var log = DiagnosticLog()
        let tree = YAMLParser.parse(bytes, source: SourceID(index: 0), into: &log)
        guard let tree, !log.hasErrors, tree.documents.count == 1 else { return nil }
        return tree.documents[0]
    }
}

extension LineageEdit {
    /// Returns possible places for the key, the usual one first.
    private func places(for lineage: String, in environment: String) -> [TextInsertion] {
        let key = "\(Self.lineage): \"\(lineage)\""
        let state = "\(Self.state): { \(key) }"
        let local = "\(environment): { emulator: {}, \(state) }"
        guard let environments = root[Self.environments] else {
            return into(root, entry: "\(Self.environments):", below: local)
        }
        guard let content = environments[environment] else {
            return environments.isNull
                ? [lineBelow(environments, entry: local)] : into(environments, entry: local)
        }
        guard let found = content[Self.state] else { return into(content, entry: state) }
        if found.isNull { return [TextInsertion(" { \(key) }", at: found.span.start)] }
        return into(found, entry: key)
    }

    /// Returns an insertion of a new entry at the end or the beginning of a mapping.
    private func into(
        _ mapping: SyntaxNode,
        entry: String,
        below child: String? = nil
    ) -> [TextInsertion] {
        guard let entries = mapping.entries else { return [] }
        let span = mapping.span
        if bytes[safe: span.start] == UInt8(ascii: "{") {
            let text = child.map { "\(entry) { \($0) }" } ?? entry
            if entries.isEmpty {
                let hasBlank = bytes[safe: span.start + 1] == UInt8(ascii: " ")
                return [TextInsertion(hasBlank ? " \(text)" : " \(text) ", at: span.start + 1)]
            }
            return [
                TextInsertion(", \(text)", at: endOfText(before: span.end - 1)),
                TextInsertion(" \(text),", at: span.start + 1),
            ]
        }
        let indentation = column(of: span.start)
        let blanks = String(repeating: " ", count: indentation)
        let text = child.map { "\(entry)\(newline)\(blanks)  \($0)" } ?? entry
        return [
            TextInsertion(
                newline + blanks + text,
                at: endOfLine(after: endOfText(before: span.end))
            ),
            TextInsertion(text + newline + blanks, at: span.start),
        ]
    }

    /// Returns an insertion of the first entry of a mapping that has only its key.
    private func lineBelow(_ nothing: SyntaxNode, entry: String) -> TextInsertion {
        let end = endOfLine(after: nothing.span.start)
        return TextInsertion("\(newline)  \(entry)", at: end)
    }

    private var newline: String {
        guard let end = bytes.firstIndex(of: UInt8(ascii: "\n")), end > 0 else { return "\n" }
        return bytes[end - 1] == UInt8(ascii: "\r") ? "\r\n" : "\n"
    }

    /// Returns the distance of a place from the beginning of its line.
    private func column(of place: Int) -> Int {
        let start = bytes[..<place].lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0
        return place - start
    }

    /// Returns the end of the text before a place, without blanks and line breaks.
    private func endOfText(before place: Int) -> Int {
        let blanks = " \t\r\n".utf8
        return (bytes[..<place].lastIndex { !blanks.contains($0) } ?? -1) + 1
    }

    private func endOfLine(after place: Int) -> Int {
        let breaks = "\r\n".utf8
        return bytes[place...].firstIndex { breaks.contains($0) } ?? bytes.count
    }
}

/// A text to insert into another.
private struct TextInsertion {
    let text: String
    let place: Int

    init(_ text: String, at place: Int) {
        self.text = text
        self.place = place
    }

    func made(in bytes: [UInt8]) -> [UInt8] {
        Array(bytes[..<place]) + Array(text.utf8) + Array(bytes[place...])
    }
}

extension SyntaxNode {
    /// The value of a mapping's key.
    fileprivate subscript(key: String) -> SyntaxNode? {
        entries?.first { $0.key.scalar?.text == key }?.value
    }
}

extension [UInt8] {
    fileprivate subscript(safe place: Int) -> UInt8? { indices.contains(place) ? self[place] : nil }
}
