import CampaignModel
import FoundationEssentials
import RegistrationLists
import SystemIO
import TestSupport
import Testing

/// Lists whose path is a pattern.
struct ListPatternTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    private func list(_ path: String, identity: String? = nil) -> RegistrationList {
        let format = RegistrationFile.Format(path: path)
        guard format != .text else { return .file(path: path) }
        return .described(
            RegistrationFile(
                path: path,
                format: format,
                kind: .token,
                column: "registration",
                identity: identity,
                reading: .atApply
            )
        )
    }

    private func survey(
        _ path: String,
        identity: String? = nil
    ) throws(RegistrationListError) -> ListSurvey {
        try ListSurvey(
            list(path, identity: identity),
            directory: folder.path,
            fingerprinter: ListFolder.fingerprinter
        )
    }

    /// Returns the registrations in order.
    private func tokens(_ path: String) throws -> [String] {
        var tokens: [String] = []
        try ListTable(list(path), columns: [], directory: folder.path).forEachRow {
            tokens.append($0.registration.token)
        }
        return tokens
    }

    private func reason(_ path: String) -> String? {
        do {
            _ = try survey(path)
            return nil
        } catch {
            guard case .unreadable(let file, let reason) = error else { return "\(error)" }
            return "\(file): \(reason.description)"
        }
    }

    @Test func `files follow each other in the order of their bytes`() throws {
        for name in ["é", "b", "a", "B", "a-1", "z/1", "Z/2"] {
            try folder.write(
                "l/\(name).txt",
                "\(name.utf8.count)-\(name.first == "é" ? "e" : name)\n"
            )
        }
        #expect(try tokens("l/*.txt") == ["1-B", "3-a-1", "1-a", "1-b", "2-e"])
        #expect(try tokens("l/*/*.txt") == ["3-Z/2", "3-z/1"])
        #expect(try tokens("l/[a-z].txt") == ["1-a", "1-b"])
        #expect(try tokens("l/?/1.txt") == ["3-z/1"])
        #expect(try tokens("\(folder.path)/l/[!b]-*.txt") == ["3-a-1"])
    }

    @Test func `the ID is that of the rows in order`() throws {
        try folder.write("a.csv", "registration\nangler:1\n")
        try folder.write("b.csv", "user,registration\nbo,angler:2\n")
        let survey = try survey("*.csv")
        // SHA-256 of "angler:1\nangler:2\n", by Python's `hashlib`.
        #expect(
            survey.id.text == "0a91c076cca778562bf5ad91553bb762df31d5a9eb61223c1f282365ee2ec1e8"
        )
        #expect(survey.columns == ["registration"])
    }

    @Test func `files of NDJSON have the columns of all of them`() throws {
        try folder.write("a.ndjson", "{\"registration\": \"a:1\", \"x\": 1}\n")
        try folder.write("b.ndjson", "{\"registration\": \"a:2\", \"y\": 1}\n")
        #expect(try survey("*.ndjson").columns == ["registration", "x", "y"])
    }

    @Test func `sending reads the files in the same order`() throws {
        try folder.write("b.txt", "b:1\n")
        try folder.write("a.txt", "# none\na:1\na:2\n")
        let id = try survey("*.txt").id
        let content = ListContent(list("*.txt"))
        var reader = try CheckedListReader(
            content,
            directory: folder.path,
            fingerprinter: ListFolder.fingerprinter,
            expected: id
        )
        #expect(try reader.next(9).map(\.registration.token) == ["a:1", "a:2", "b:1"])
        try folder.write("c.txt", "c:1\n")
        var again = try CheckedListReader(
            content,
            directory: folder.path,
            fingerprinter: ListFolder.fingerprinter,
            expected: id
        )
        #expect(throws: RegistrationListError.changed(path: "*.txt")) { try again.next(9) }
    }

    @Test func `hidden files match only patterns that begin with a dot`() throws {
        try folder.write("l/a.txt", "a:1\n")
        try folder.write("l/.b.txt", "b:1\n")
        try folder.write("l/.c/d.txt", "d:1\n")
        #expect(try tokens("l/*") == ["a:1"])
        #expect(try tokens("l/.b*") == ["b:1"])
        #expect(reason("l/*/d.txt") == "l/*/d.txt: no file matches it")
    }

    @Test func `a backslash takes a character literally`() throws {
        try folder.write("a*.txt", "a:1\n")
        try folder.write("ab.txt", "b:1\n")
        #expect(try tokens("a\\*.txt") == ["a:1"])
        #expect(try tokens("a*.txt") == ["a:1", "b:1"])
        #expect(RegistrationList.file(literally: "a*.txt") == .file(path: "a\\*.txt"))
    }

    @Test(arguments: [
        ("x*.txt", "x*.txt: no file matches it"),
        ("none/*.txt", "none/: no such file or directory"),
        ("a.txt/*", "a.txt/: not a directory"), ("*/a.txt", "*/a.txt: no file matches it"),
        ("[a", "[a: a `[` has no closing bracket"), ("**/a.txt", "**/a.txt: `**` is not supported"),
    ])
    func `a pattern must match a file`(path: String, expected: String) throws {
        try folder.write("a.txt", "a:1\n")
        #expect(reason(path) == expected)
    }

    @Test func `all files have the format of the pattern`() throws {
        try folder.write("l/a.csv", "registration\na:1\n")
        #expect(
            reason("l/*")
                == "l/a.csv: its name is that of a csv list, and the pattern that matches it is "
                + "for text lists"
        )
    }

    @Test func `links, pipes and directories are refused`() throws {
        try folder.write("l/a.txt", "a:1\n")
        let link = folder.path + "/l/b.txt"
        try FileManager.default.createSymbolicLink(
            atPath: link,
            withDestinationPath: folder.path + "/l/a.txt"
        )
        #expect(reason("l/*.txt") == "l/b.txt: it is a symbolic link")
        try FileManager.default.removeItem(atPath: link)
        try FileManager.default.createDirectory(
            atPath: link,
            withIntermediateDirectories: false
        )
        #expect(reason("l/*.txt") == "l/b.txt: is a directory")
    }

    @Test func `a pattern does not leave the directories that are allowed`() throws {
        let outside = try TemporaryFolder()
        try outside.write("a.txt", "a:1\n")
        try FileManager.default.createSymbolicLink(
            atPath: folder.path + "/away",
            withDestinationPath: outside.path
        )
        let bounds = FolderBounds(folder.path)
        for (path, file) in [
            ("away/*.txt", "away/*.txt"), ("*/*.txt", "away/a.txt"),
            ("\(outside.path)/*.txt", "\(outside.path)/*.txt"),
        ] {
            let surveys = ListSurveys(
                of: [list(path)],
                directory: folder.path,
                fingerprinter: ListFolder.fingerprinter,
                bounds: bounds
            )
            guard case .failure(.unreadable(file, let reason))? = surveys[list(path)] else {
                Issue.record("\(path) was read")
                continue
            }
            #expect(reason.description.contains("outside of the project"))
        }
    }

    @Test func `errors name the real file`() throws {
        try folder.write("a.csv", "registration,user\na:1,ana\n")
        try folder.write("b.csv", "user,registration\nbo,a 2\n,b:2\n")
        do {
            _ = try survey("*.csv", identity: "user")
            Issue.record("broken rows were accepted")
        } catch {
            guard case .brokenLines(let lines, "b.csv", 2) = error else {
                Issue.record("\(error)")
                return
            }
            #expect(
                lines.map(\.text) == [
                    "2: a registration has no white space, quotes or commas (column "
                        + "`registration`, byte 22)",
                    "3: it has no `user` (column `user`, byte 26)",
                ]
            )
            #expect(lines.map(\.path) == ["b.csv", "b.csv"])
        }
    }

    @Test func `every file has its own header line with the columns`() throws {
        try folder.write("a.csv", "registration\na:1\n")
        try folder.write("b.csv", "a:2\n")
        do {
            _ = try survey("*.csv")
            Issue.record("a file without a header line was accepted")
        } catch {
            guard case .missingColumn(let column) = error else {
                Issue.record("\(error)")
                return
            }
            #expect(column.path == "b.csv" && column.line == 1)
        }
        try folder.write("b.csv", "")
        #expect(throws: RegistrationListError.empty(path: "b.csv")) { try survey("*.csv") }
        try folder.write("b.csv", "registration\n")
        #expect(try survey("*.csv").count == 1)
    }

    @Test func `a repeated registration is reported with both files`() throws {
        try folder.write("a.txt", "a:1\na:2\n")
        try folder.write("b.txt", "# none\n")
        try folder.write("c.txt", "\na:3\na:2\na:1\n")
        #expect(
            throws: RegistrationListError.repeated(
                line: 3,
                first: 2,
                path: "c.txt",
                count: 2,
                firstPath: "a.txt"
            )
        ) { try survey("*.txt") }
    }

    @Test func `files without registrations are an empty list`() throws {
        try folder.write("a.txt", "# none\n")
        try folder.write("b.txt", "")
        #expect(throws: RegistrationListError.empty(path: "*.txt")) { try survey("*.txt") }
    }

    @Test func `a list of several files cannot be divided`() throws {
        try folder.write("a.txt", "a:1\n")
        #expect(throws: RegistrationListError.self) {
            try ListDivision(list("*.txt"), directory: folder.path) { _ in true }
        }
    }

    @Test func `a change of the directory is watched, too`() throws {
        try folder.write("l/a.txt", "a:1\n")
        #expect(list("l/*.txt").watchedPaths(in: folder.path) == ["l/", "l/a.txt"])
        #expect(list("*.txt").watchedPaths(in: folder.path) == ["."])
        #expect(list("l/a.txt").watchedPaths(in: folder.path) == ["l/a.txt"])
        #expect(RegistrationList.inline([]).watchedPaths(in: folder.path) == [])
    }
}
