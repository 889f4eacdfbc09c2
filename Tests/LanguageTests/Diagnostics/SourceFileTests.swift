import Diagnostics
import Testing

struct SourceFileTests {
    private let file = SourceFile(path: "a.yaml", bytes: Array("ab\ncé漢d\r\n\r🌊x\n".utf8))

    @Test(arguments: [
        (0, 1, 1), (2, 1, 3), (3, 2, 1), (4, 2, 2), (6, 2, 3), (9, 2, 4), (10, 2, 5), (11, 2, 6),
        (12, 3, 1), (13, 4, 1), (17, 4, 2), (19, 5, 1), (99, 5, 1), (-1, 1, 1),
    ])
    func `counts lines and scalars from 1`(offset: Int, line: Int, column: Int) {
        #expect(file.position(at: offset) == SourcePosition(line: line, column: column))
    }

    @Test(arguments: [(4, 2), (6, 3), (9, 4), (13, 1), (17, 3), (18, 4)])
    func `counts UTF-16 code units on request`(offset: Int, column: Int) {
        #expect(file.position(at: offset, in: .utf16CodeUnits).column == column)
    }

    @Test func `concealed text keeps its lines and columns`() {
        var catalog = SourceCatalog { _, id in [SourceSpan(source: id, start: 1, end: 99)] }
        let id = catalog.add(path: "a.yaml", bytes: file.bytes)
        let concealed = catalog[id]
        #expect(String(decoding: concealed.bytes, as: UTF8.self) == "a*\n*×∗*\r\n\r🞶*\n")
        for offset in file.bytes.indices {
            #expect(concealed.position(at: offset) == file.position(at: offset))
        }
    }

    @Test(arguments: [
        (0, 1), (2, 1), (3, 2), (10, 2), (12, 3), (13, 4), (19, 5), (99, 5),
    ])
    func `finds lines without looking for text to conceal`(offset: Int, line: Int) {
        var catalog = SourceCatalog { _, _ in
            Issue.record("looked for text to conceal")
            return []
        }
        _ = catalog.add(path: "b.yaml", bytes: Array("x\n\n\n\n\n\ny".utf8))
        let id = catalog.add(path: "a.yaml", bytes: file.bytes)
        let span = SourceSpan(source: id, start: offset, end: offset)
        #expect(catalog.line(of: span) == line)
        #expect(catalog.line(of: span) == file.position(at: offset).line)
    }

    @Test func `conceals invalid bytes one by one`() {
        var catalog = SourceCatalog { _, id in [SourceSpan(source: id, start: 0, end: 6)] }
        let id = catalog.add(path: "a.yaml", bytes: [0x61, 0xC3, 0xFF, 0x0A, 0xE2, 0x82])
        #expect(String(decoding: catalog[id].bytes, as: UTF8.self) == "***\n**")
    }

    @Test func `returns lines without their terminators`() {
        let lines = (1...5).map { String(decoding: file.lineBytes($0), as: UTF8.self) }
        #expect(lines == ["ab", "cé漢d", "", "🌊x", ""])
        #expect(file.lines.count == 5)
        #expect(file.lineBytes(0).isEmpty)
        #expect(file.lineBytes(6).isEmpty)
    }

    @Test func `counts no column for a byte order mark`() {
        let marked = SourceFile(path: "b", bytes: [0xEF, 0xBB, 0xBF] + Array("key".utf8))
        #expect(marked.position(at: 3) == SourcePosition(line: 1, column: 1))
        #expect(marked.position(at: 5) == SourcePosition(line: 1, column: 3))
        #expect(Array(marked.lineBytes(1)) == Array("key".utf8))
    }

    @Test func `counts the scalars of a line of any length`() {
        let short = "é\n"
        let long = String(repeating: "a漢🌊", count: 10_000)
        let file = SourceFile(path: "l", bytes: Array((short + long).utf8))
        for count in [0, 1, 1_000, 1_024, 1_025, 5_000, 9_999, 10_000] {
            let position = file.position(at: short.utf8.count + count * 8)
            #expect(position == SourcePosition(line: 2, column: count * 3 + 1))
        }
    }

    @Test func `finds positions in an empty file`() {
        let empty = SourceFile(path: "c", bytes: [])
        #expect(empty.position(at: 0) == SourcePosition(line: 1, column: 1))
    }

    @Test func `gives each file its own ID in order`() {
        var catalog = SourceCatalog()
        let first = catalog.add(path: "1", bytes: [])
        let second = catalog.add(path: "2", bytes: [])
        #expect(first < second)
        #expect(catalog[second].path == "2")
    }

    @Test func `a span that ends before its start becomes empty`() {
        let span = SourceSpan(source: SourceID(index: 0), start: 5, end: 2)
        #expect((span.start, span.end) == (5, 5))
        #expect(span.isEmpty)
    }
}
