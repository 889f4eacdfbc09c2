package import Diagnostics

package enum YAMLParser {
    /// Reads a YAML text with spans; nil after a problem that leaves no tree, which is reported.
    ///
    /// Duplicate keys, anchors, aliases and tags are reported and the tree is still built: of equal
    /// keys the first one is kept, an alias becomes an empty scalar.
    ///
    /// The bytes are UTF-8, with or without a byte order mark; spans refer to the source.
    package static func parse(
        _ bytes: [UInt8],
        source: SourceID,
        into log: inout DiagnosticLog
    ) -> SyntaxTree? {
        guard let text = YAMLText.check(bytes, source: source, into: &log) else { return nil }
        var builder = SyntaxTreeBuilder(text)
        do {
            var reader = try YAMLEventReader(text)
            while let event = try reader.next(), builder.receive(event) {}
            log.absorb(builder.log)
            return builder.isRefused ? nil : SyntaxTree(documents: builder.documents)
        } catch {
            log.absorb(builder.log)
            log.report(error.diagnostic(in: text))
            return nil
        }
    }
}
