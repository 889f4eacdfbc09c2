import CampaignLoading
import CampaignModel
import Diagnostics
import Testing

struct ListFormatTests {
    private static func files(_ list: String) -> LoadedFiles {
        LoadedFiles(campaign: "audience: anglers\nregistrations: \(list)\n")
    }

    @Test(arguments: [
        ("l.csv", RegistrationFile.Format.csv), ("l.CSV", .csv), ("a.txt/l.Csv", .csv),
        ("l.ndjson", .ndjson), ("l.NDJSON", .ndjson), ("l.csv.gz", .csv), ("l.ndjson.ZST", .ndjson),
        ("lists/*.csv", .csv), ("lists/*.ndjson.gz", .ndjson),
    ])
    func `a list with columns is recognized by its extension in any case`(
        path: String,
        format: RegistrationFile.Format
    ) {
        let list = Self.files(path).loaded.declarations.audiences.first?.value.registrations
        guard case .described(let file)? = list?.value else {
            Issue.record("treated as a text list")
            return
        }
        #expect(file.format == format)
    }

    @Test(arguments: [
        "l", "l.txt", "l.list", "a.csv/l", "csv", "a.b/l", "l.gz", "l.txt.zst", "lists/*",
        "a[bc].txt",
    ])
    func `any other list is a text with one registration per line`(path: String) {
        let list = Self.files(path).loaded.declarations.audiences.first?.value.registrations
        #expect(list?.value.list == .file(path: path))
    }

    @Test(arguments: [
        "«l.tar.gz»", "«l.json.ZST»", "«l.zip»", "«l.json»", "«l.xlsx»", "«l.tsv»", "«lists/*.xz»",
        "{ file: «a/l.json», kind: token }",
    ])
    func `a known other format is refused as a text list`(list: String) {
        let files = Self.files(list)
        #expect(files.findings == files.expected(.unknownValue))
        #expect(
            files.diagnostics.first?.help == [
                "use a text file with one registration per line, a `.csv` with a header line, "
                    + "or `.ndjson`"
            ]
        )
    }

    @Test(arguments: [
        ("lists/**/a.csv", "`**` is not supported in the path of a list"),
        ("a[1.csv", "a `[` in the path of a list has no closing bracket"),
        ("a[9-0].csv", "a range in brackets ends before it begins"),
        ("a\\/b.csv", "a name in the path of a list ends with a backslash"),
    ])
    func `a malformed pattern is refused`(path: String, message: String) {
        let files = Self.files("«\(path)»")
        #expect(files.findings == files.expected(.unknownValue))
        #expect(files.diagnostics.first?.message == message)
    }

    @Test(arguments: ["l.txt", "lists/l.CSV", "l.ndjson", "l.json", "l.csv.gz", "l.zst"])
    func `a file name among registrations is an error that does not repeat it`(name: String) {
        let files = Self.files("[some-registration, «\(name)»]")
        #expect(files.findings == files.expected(.wrongKind))
        let finding = files.diagnostics.first
        #expect(finding?.message == "expected a registration, found the name of a file")
        #expect(files.loaded.declarations.audiences.first?.value.registrations == nil)
    }

    @Test(arguments: ["l", "a.b", "csv", "c-A:APA91b_x"])
    func `any other text is a registration`(text: String) {
        #expect(Self.files("[\(text)]").findings == [])
    }

    @Test func `a list's description is shown, but other values are concealed`() {
        let text = """
            audience: anglers
            registrations: { file: l.csv, kind: token, column: mark, odd: HIDDEN-1 }
            ---
            audience: rowers
            registrations: [HIDDEN-2]
            """
        let files = LoadedFiles(campaign: text)
        let shown = String(
            decoding: files.loaded.catalog[SourceID(index: 1)].bytes,
            as: UTF8.self
        )
        #expect(shown == text.replacing("HIDDEN-1", with: stars).replacing("HIDDEN-2", with: stars))
    }

    private let stars = "********"
}
