import CampaignModel
import RegistrationLists
import TestSupport
import Testing

/// What is wrong with rows of a CSV list, and where.
struct CSVFaultTests {
    private static func faults(
        _ bytes: some Sequence<UInt8>,
        identity: String? = nil
    ) throws -> [String] {
        let folder = try TemporaryFolder()
        try folder.write("l.csv", bytes)
        let file = RegistrationFile(
            path: "l.csv",
            format: .csv,
            kind: .token,
            column: "token",
            identity: identity,
            reading: .atApply
        )
        do {
            _ = try ListSurvey(
                .described(file),
                directory: folder.path,
                fingerprinter: ListFolder.fingerprinter
            )
            return []
        } catch {
            guard case .brokenLines(let lines, "l.csv", _) = error else { return ["\(error)"] }
            return lines.map(\.text)
        }
    }

    @Test(arguments: [
        (
            "user,token,note\nana,a:1\n",
            "2: it has 2 fields, and the header line has 3 (column 3, byte 24)"
        ),
        (
            "user,token,note\r\nana,a:1\r\n",
            "2: it has 2 fields, and the header line has 3 (column 3, byte 25)"
        ),
        (
            "user,token\nana\n",
            "2: it has 1 field, and the header line has 2 (column `token`, byte 15)"
        ),
        (
            "user,token\nana",
            "2: it has 1 field, and the header line has 2 (column `token`, byte 15)"
        ),
        (
            "user,token\nana,a:1,\n",
            "2: it has 3 fields, and the header line has 2 (column 3, byte 20)"
        ),
        (
            "user,token\n\"a\nb\",a:1,c,d\n",
            "3: it has 4 fields, and the header line has 2 (column 3, byte 22)"
        ),
        (
            "user,token,n\nana,\"a:\n1\"\n",
            "3: it has 2 fields, and the header line has 3 (column 3, byte 24)"
        ),
    ])
    func `a ragged row is reported where it ends or where the header line ends`(
        text: String,
        fault: String
    ) throws {
        #expect(try Self.faults(text.utf8) == [fault])
    }

    @Test(arguments: [
        ("token,user\na:1,\n", "2: it has no `user` (column `user`, byte 16)"),
        ("token,user\n,ana\n", "2: it has no `token` (column `token`, byte 12)"),
        ("token,user\n\"\",ana\n", "2: it has no `token` (column `token`, byte 12)"),
        ("\u{FEFF}x,token,user\r\n\"a\nb\",a:1,\n", "3: it has no `user` (column `user`, byte 28)"),
        (
            "x,token,user\n1,a b,ana\n",
            "2: a registration has no white space, quotes or commas (column `token`, byte 16)"
        ),
    ])
    func `a missing or invalid value is reported at its field`(
        text: String,
        fault: String
    ) throws {
        #expect(try Self.faults(text.utf8, identity: "user") == [fault])
    }

    @Test(arguments: [
        (
            "user,token,user\nana,a:1,ana\n",
            "1: the header line has the name `user` twice, first in column 1, byte 1 "
                + "(column 3, byte 12)"
        ),
        (
            "token,\"a\nb\",x,\"a\nb\"\n",
            "2: the header line has the same name twice, first in column 2, byte 7 "
                + "(column 4, byte 15)"
        ),
        (
            "token,,\n",
            "1: the header line has the same name twice, first in column 2, byte 7 "
                + "(column 3, byte 8)"
        ),
        // é as one character and as two.
        (
            "token,é,e\u{301}\n",
            "1: the header line has the same name twice, first in column 2, byte 7 "
                + "(column 3, byte 10)"
        ),
    ])
    func `a name may be in the header line once, even if it is not used`(
        text: String,
        fault: String
    ) throws {
        let identity = text.contains("user") ? "user" : nil
        #expect(try Self.faults(text.utf8, identity: identity) == [fault])
    }

    @Test func `a file without a header line is reported as such, and not repeated`() throws {
        let fault = try Self.faults("a:SECRET,a:SECRET\n".utf8)
        #expect(fault.first?.contains("missingColumn") == true)
        #expect(fault.first?.contains("SECRET") == false)
    }

    @Test(arguments: [
        (
            "token,user\na:1,\"ana\na:2,bo\n",
            "2: a quoted field is not closed (column `user`, byte 16)"
        ),
        ("token,\"user\na:1,ana\n", "1: a quoted field is not closed (column 2, byte 7)"),
        ("token,user\na:1,a\0\n", "2: it contains the character NUL (column `user`, byte 17)"),
        ("token,us\0er\na:1,ana\n", "1: it contains the character NUL (column 2, byte 9)"),
        (
            "token,user,x\na:1,ana,\"\0\"\n",
            "2: it contains the character NUL (column 3, byte 23)"
        ),
    ])
    func `an unreadable row is reported with its column`(text: String, fault: String) throws {
        #expect(try Self.faults(text.utf8, identity: "user") == [fault])
    }

    @Test func `bytes that are not UTF-8 are errors in every column`() throws {
        let bytes = Array("token,note\na:1,é".utf8) + [0xFF] + Array("\n".utf8)
        #expect(try Self.faults(bytes) == ["2: it is not UTF-8 (column 2, byte 18)"])
    }

    @Test func `a row has at most 1 MiB`() throws {
        let note = String(repeating: "x", count: 1_048_576 - 4)
        #expect(try Self.faults("token,note\na:1,\(note)\n".utf8) == [])
        #expect(
            try Self.faults("token,note\na:1,\(note)x\nb:1,\n".utf8)
                == ["2: it is longer than 1 MiB (column `token`, byte 12)"]
        )
    }

    @Test func `counts the lines before an empty identity`() throws {
        let rows = (0..<70_000).map { "a:\($0),ana\n" }
        let text = "token,user\n" + rows.joined() + "b:1,\n"
        #expect(
            try Self.faults(text.utf8, identity: "user")
                == ["70002: it has no `user` (column `user`, byte \(text.utf8.count))"]
        )
    }
}
