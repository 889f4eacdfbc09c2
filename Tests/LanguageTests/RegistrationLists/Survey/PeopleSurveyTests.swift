import CampaignModel
import RegistrationLists
import TestSupport
import Testing
import Time

struct PeopleSurveyTests {
    private static func survey(
        _ text: String,
        in name: String = "l.csv",
        timeZone: String? = nil,
        locale: String? = nil,
        publicKey: String? = nil
    ) throws -> ListSurvey {
        let folder = try TemporaryFolder()
        try folder.write(name, text)
        let file = RegistrationFile(
            path: name,
            format: name.hasSuffix(".csv") ? .csv : .ndjson,
            kind: .token,
            column: "registration",
            identity: "user",
            reading: .atApply,
            locale: locale,
            timeZone: timeZone,
            publicKey: publicKey
        )
        return try ListSurvey(
            .described(file),
            directory: folder.path,
            fingerprinter: ListFolder.fingerprinter,
            zones: systemZones
        )
    }

    /// The error of the list.
    private static func error(
        _ text: String,
        in name: String = "l.csv",
        timeZone: String? = nil,
        locale: String? = nil,
        publicKey: String? = nil
    ) throws -> RegistrationListError? {
        do {
            _ = try survey(
                text,
                in: name,
                timeZone: timeZone,
                locale: locale,
                publicKey: publicKey
            )
            return nil
        } catch let error as RegistrationListError {
            return error
        }
    }

    private static func faults(
        _ text: String,
        in name: String = "l.csv",
        timeZone: String
    ) throws -> [String] {
        guard case .brokenLines(let lines, _, _)? = try error(text, in: name, timeZone: timeZone)
        else { return [] }
        return lines.map { "\($0.number): \($0.reason) (\($0.place))" }
    }

    @Test func `counts people, and those whose registrations fit in a device group`() throws {
        let rows = (0..<21).map { "b:\($0),bo\n" }.joined()
        let survey = try Self.survey(
            "registration,user\na:1,ana\nc:1,cy\na:2,ana\nd:1,dee\nd:2,dee\n" + rows
        )
        let people = try #require(survey.people)
        #expect(survey.count == 26)
        #expect(people.count == 4)
        #expect(people.groups == 2)
        #expect(people.largerGroups == 1)
        #expect(people.differences == [])
    }

    @Test(arguments: [
        (
            "registration,user,tz,lang\na:1,ana,UTC,pt\nb:1,bo,UTC,\na:2,ana,,PT\nb:2,bo,UTC,en\n"
                + "a:3,ana,Europe/Lisbon,pt\n",
            "l.csv"
        ),
        (
            """
            {"registration": "a:1", "user": "ana", "tz": "UTC", "lang": "pt"}
            {"registration": "b:1", "user": "bo", "tz": "UTC"}
            {"registration": "a:2", "user": "ana", "tz": null, "lang": "PT"}
            {"registration": "b:2", "user": "bo", "tz": "UTC", "lang": "en"}
            {"registration": "a:3", "user": "ana", "tz": "Europe/Lisbon", "lang": "pt"}
            """,
            "l.ndjson"
        ),
    ])
    func `finds rows of one person that differ in a declared column`(
        text: String,
        name: String
    ) throws {
        let people = try #require(
            try Self.survey(text, in: name, timeZone: "tz", locale: "lang").people
        )
        let header = name == "l.csv" ? 1 : 0
        let found = people.differences.map {
            "\($0.column) \($0.people) \($0.place.path):\($0.place.line - header) "
                + "\($0.firstPlace.line - header)"
        }
        #expect(found == ["tz 1 \(name):3 1", "lang 1 \(name):4 2"])
        // Columns that the list does not name are not compared.
        #expect(try Self.survey(text, in: name).people?.differences == [])
    }

    @Test func `a time zone that tzdata does not know is a broken line`() throws {
        let csv = "registration,user,tz\na:1,ana,Atlantic/Azores\na:2,bo,Mars/Olympus\na:3,cy,\n"
        #expect(
            try Self.faults(csv + "a:4,dee,\"+02:00\"\n", timeZone: "tz") == [
                "3: its `tz` is a time zone that tzdata does not know (column `tz`, byte 53)",
                "5: its `tz` is not an IANA time zone such as `Atlantic/Azores` (column `tz`, "
                    + "byte 82)",
            ]
        )
        #expect(
            try Self.faults(
                #"{"registration": "a:1", "user": "ana", "tz": "mars"}"# + "\n"
                    + #"{"registration": "a:2", "user": "ana", "tz": 7.0}"#,
                in: "l.ndjson",
                timeZone: "tz"
            ).map { $0.prefix(30) } == [
                "1: its `tz` is not an IANA tim", "2: its `tz` is a number that c",
            ]
        )
        // Without the declaration, the column is not read.
        #expect(try Self.survey(csv).count == 3)
    }

    @Test(arguments: ["l.csv", "l.ndjson"])
    func `a declared column that the list lacks is an error`(name: String) throws {
        let csv = name == "l.csv"
        let text =
            csv ? "registration,user\na:1,ana\n" : #"{"registration": "a:1", "user": "ana"}"#
        for column in ["timezone", "locale", "key"] {
            let error = try Self.error(
                text,
                in: name,
                timeZone: column == "timezone" ? column : nil,
                locale: column == "locale" ? column : nil,
                publicKey: column == "key" ? column : nil
            )
            guard case .missingColumn(let missing)? = error else {
                Issue.record("\(String(describing: error))")
                continue
            }
            #expect(missing.name == column && missing.path == name && missing.line == 1)
        }
    }

    @Test func `an object may lack a zone and a locale that another one has`() throws {
        let text = """
            {"registration": "a:1", "user": "ana"}
            {"registration": "b:1", "user": "bo", "tz": "UTC", "lang": "pt"}
            """
        let survey = try Self.survey(text, in: "l.ndjson", timeZone: "tz", locale: "lang")
        #expect(survey.people?.count == 2)
    }
}
