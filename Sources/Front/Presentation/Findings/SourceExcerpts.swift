import Diagnostics

extension SourceFile {
    /// Returns a line, counted from 1, with its part of the span marked.
    func displayLine(_ line: Int, marking span: SourceSpan, columns: Int) -> DisplayLine {
        let text = lineBytes(line)
        let start = min(max(span.start, text.startIndex), text.endIndex)
        let end = min(max(span.end, start), text.endIndex)
        return DisplayLine(text, marking: start..<end, columns: columns)
    }

    /// Returns the lines that a fix changes, after the fix.
    func linesAfter(_ fix: Fix, columns: Int) -> [String] {
        let first = lineBytes(lines.line(at: fix.span.start))
        let last = lineBytes(lines.line(at: fix.span.end))
        let before = first[..<min(max(fix.span.start, first.startIndex), first.endIndex)]
        let after = last[min(max(fix.span.end, last.startIndex), last.endIndex)...]
        let edited = SourceFile(path: path, bytes: before + Array(fix.replacement.utf8) + after)
        let place = SourceSpan(
            source: fix.span.source,
            start: before.count,
            end: before.count + fix.replacement.utf8.count
        )
        return (1...edited.lines.count).map {
            edited.displayLine($0, marking: place, columns: columns).text
        }
    }
}
