import CampaignModel
import RegistrationLists
import SystemIO
import TestSupport
import Testing

/// Lists that a source wrote.
struct SourceOutputTests {
    private let folder: TemporaryFolder
    private let source: ListSourceID

    init() throws {
        folder = try TemporaryFolder()
        source = try #require(ListSourceID("vips"))
    }

    private func lists(_ text: String) throws -> ProjectLists {
        let file = try File.unnamed(in: folder.path)
        try file.write(Array(text.utf8))
        return ProjectLists(directory: folder.path, outputs: [source: SourceOutput(file)])
    }

    private func list(_ format: RegistrationFile.Format) -> RegistrationList {
        .described(
            RegistrationFile(
                path: RegistrationFile.path(of: source),
                format: format,
                kind: .token,
                column: format == .text ? nil : "registration",
                identity: nil,
                reading: .atApply,
                source: source
            )
        )
    }

    private func survey(
        _ text: String,
        _ format: RegistrationFile.Format
    ) throws -> ListSurvey {
        try ListSurvey(
            list(format),
            directory: try lists(text),
            fingerprinter: ListFolder.fingerprinter
        )
    }

    @Test(arguments: [
        ("angler:1\n# two\nangler:2\n", RegistrationFile.Format.text),
        ("name,registration\nAna,angler:1\nBo,angler:2\n", .csv),
        ("{\"registration\":\"angler:1\"}\n{\"registration\":\"angler:2\"}\n", .ndjson),
    ])
    func `an output is the same list as a file`(
        text: String,
        format: RegistrationFile.Format
    ) throws {
        let inFile = try ListFolder("angler:1\nangler:2\n").survey()
        #expect(try survey(text, format).id == inFile.id)
    }

    @Test func `several readers read the same output at their own positions`() throws {
        let text = (0..<50_000).map { "angler:\($0)\n" }.joined()
        let lists = try lists(text)
        var first = try RegistrationReader(list(.text), directory: lists)
        var second = try RegistrationReader(list(.text), directory: lists)
        for number in 0..<50_000 {
            let wanted = try #require(Registration("angler:\(number)"))
            guard case .registration(wanted)? = try first.next() else {
                Issue.record("the first reader lost row \(number)")
                return
            }
            guard number.isMultiple(of: 2) else { continue }
            guard case .registration? = try second.next() else {
                Issue.record("the second reader lost row \(number)")
                return
            }
        }
        let end = try first.next()
        #expect(end == nil)
        #expect(second.line == 25_000)
    }

    @Test(arguments: [
        ("registration\nangler:1\nangler:2,Bo\n", RegistrationFile.Format.csv, 3),
        ("angler:1\nan gler:2\n", .text, 2),
        ("angler:1\nangler:2\u{0}\n", .text, 2),
        ("{\"registration\":\"angler:1\"}\n[]\n", .ndjson, 2),
    ])
    func `an error names the source and the line`(
        text: String,
        format: RegistrationFile.Format,
        line: Int
    ) throws {
        do {
            _ = try survey(text, format)
            Issue.record("no error")
        } catch let error as RegistrationListError {
            guard case .brokenLines(let lines, "source vips", 1) = error else {
                Issue.record("another error: \(error)")
                return
            }
            #expect(lines.map(\.number) == [line])
        }
    }

    @Test func `an empty output is an empty list`() {
        #expect(throws: RegistrationListError.empty(path: "source vips")) {
            try survey("", .text)
        }
        #expect(throws: RegistrationListError.empty(path: "source vips")) {
            try survey("registration\n", .csv)
        }
    }

    @Test func `an output is never decompressed`() throws {
        let file = try File.unnamed(in: folder.path)
        try file.write([0x1F, 0x8B, 0x08, 0x00, 0x0A])
        let lists = ProjectLists(directory: folder.path, outputs: [source: SourceOutput(file)])
        #expect {
            try ListSurvey(
                list(.text),
                directory: lists,
                fingerprinter: ListFolder.fingerprinter
            )
        } throws: { error in
            if case RegistrationListError.brokenLines = error { true } else { false }
        }
    }

    @Test func `a source without an output was not read`() throws {
        let error = RegistrationListError.sourceNotRead(source)
        #expect(throws: error) {
            try ListSurvey(
                list(.csv),
                directory: folder.path,
                fingerprinter: ListFolder.fingerprinter
            )
        }
        let lists = ProjectLists(directory: folder.path)
        #expect(throws: error) { try RegistrationReader(list(.text), directory: lists).line }
        #expect(!lists.contains(list(.text)))
        #expect(lists.contains(.file(path: "a.txt")))
        #expect(list(.text).watchedPaths(in: folder.path).isEmpty)
        #expect(list(.text).place(in: folder.path) == nil)
    }

    @Test func `the file of an output has no name`() throws {
        let lists = try lists("angler:1\n")
        #expect(try Folder.entries(of: folder.path).isEmpty)
        #expect(lists.output(of: source) != nil)
    }
}
