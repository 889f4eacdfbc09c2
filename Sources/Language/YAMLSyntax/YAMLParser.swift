package import Diagnostics

package enum YAMLParser {
    /// Reads a YAML text with spans; reports problems, and returns nil if no tree remains.
    ///
    /// Duplicate keys and tags are reported and the tree is still built: the first of equal keys is
    /// kept. Aliases are replaced by their values, and merge keys are followed.
    ///
    /// The bytes are UTF-8, with or without a byte order mark; spans refer to the source.
    package static func parse(
        _ bytes: [UInt8],
        source: SourceID,
        into log: inout DiagnosticLog
    ) -> SyntaxTree? {
        guard let text = YAMLText.check(bytes, source: source, into: &log) else { return nil }
        var builder = SyntaxTreeBuilder(text)
        var failure = read(text, into: &builder)
        if failure?.isInvalidEscape ?? false, let joined = text.joiningSurrogatePairs() {
            builder = SyntaxTreeBuilder(joined)
            failure = read(joined, into: &builder)
        }
        let tree = builder.finish()
        log.absorb(builder.log)
        guard let failure else { return tree }
        log.report(failure.diagnostic(in: text))
        return nil
    }

    private static func read(
        _ text: YAMLText,
        into builder: inout SyntaxTreeBuilder
    ) -> YAMLFailure? {
        do {
            var reader = try YAMLEventReader(text)
            while let event = try reader.next(), builder.receive(event) {}
            return nil
        } catch {
            return error
        }
    }
}
