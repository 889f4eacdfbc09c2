import CampaignModel
import FoundationEssentials
import RegistrationLists
import Testing
import Time

struct OutcomeFileTests {
    private func rows(_ text: String) throws -> [Result<OutcomeRow, OutcomeFault>] {
        let path = FileManager.default.temporaryDirectory
            .appending(path: "outcomes-\(UUID().uuidString)").path
        try Data(text.utf8).write(to: URL(filePath: path))
        defer { try? FileManager.default.removeItem(atPath: path) }
        var file = try OutcomeFile(path: path)
        var rows: [Result<OutcomeRow, OutcomeFault>] = []
        while let row = try file.next() { rows.append(row) }
        return rows
    }

    private func fault(_ row: Result<OutcomeRow, OutcomeFault>) -> OutcomeFault.Reason? {
        if case .failure(let fault) = row { fault.reason } else { nil }
    }

    @Test func `reads CSV with other columns`() throws {
        let found = try rows("city,time,identity,value\nLagos,2037-03-20T07:30:00Z,ana,1.5e1\n")
        let row = try #require(try found.first?.get())
        #expect(row.subject == .identity("ana"))
        #expect(row.value == 15)
        #expect(row.name == "conversion")
        #expect(row.time == Instant(rfc3339: "2037-03-20T07:30:00Z"))
        #expect(row.line == 2)
    }

    @Test func `reads JSON objects and BigQuery's times`() throws {
        let found = try rows(
            """
            {"message_id": "m1", "event": "MESSAGE_DELIVERED", "event_timestamp": "2037-03-20 07:30:00.5 UTC"}

            {"registration": "r:1", "time": "2037-03-20T07:30:00Z", "value": 3}
            """
        )
        #expect(try found[0].get().subject == .message("m1"))
        #expect(try found[0].get().name == "message_delivered")
        #expect(try found[0].get().time == Instant(rfc3339: "2037-03-20T07:30:00Z"))
        #expect(try found[1].get().value == 3)
    }

    @Test func `refuses rows that cannot be used`() throws {
        let found = try rows(
            """
            identity,registration,time,value
            ana,r:1,2037-03-20T07:30:00Z,
            ,,2037-03-20T07:30:00Z,
            ana,,tomorrow,
            ana,,2037-03-20T07:30:00Z,nan
            ana,,2037-03-20T07:30:00Z
            """
        )
        #expect(
            found.prefix(4).map(fault) == [
                .severalSubjects(["identity", "registration"]), .noSubject,
                .noTime(column: "time"), .noNumber(column: "value"),
            ]
        )
        guard case .broken? = fault(found[4]) else {
            Issue.record("a short record is not refused")
            return
        }
    }

    @Test(arguments: [
        ("", OutcomeFileError.empty), ("user,time\n", .noSubjectColumn),
        ("identity,day\n", .noTimeColumn), ("time,identity,time\n", .repeatedColumn("time")),
        ("{\"time\": 1}\n", .noSubjectColumn),
    ])
    func `refuses a file without the columns`(text: String, error: OutcomeFileError) {
        #expect(throws: error) { try rows(text) }
    }

    @Test func `makes rows with the same content the same event`() throws {
        let found = try rows(
            """
            identity,time,id
            ana,2037-03-20T07:30:00Z,1
            ana,2037-03-20T07:30:00Z,1
            ana,2037-03-20T07:30:00Z,2
            """
        ).map { try $0.get().content }
        #expect(found[0] == found[1])
        #expect(found[0] != found[2])
    }
}
