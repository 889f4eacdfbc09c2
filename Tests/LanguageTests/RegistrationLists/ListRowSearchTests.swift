import CampaignModel
import RegistrationLists
import TestSupport
import Testing

struct ListRowSearchTests {
    private static func search(
        _ text: String,
        columns: MessageColumns? = nil,
        find matches: (Int, Registration) -> Bool
    ) throws -> ListRowSearch.Found? {
        let folder = try TemporaryFolder()
        try folder.write("l.csv", text)
        let file = RegistrationFile(
            path: "l.csv",
            format: .csv,
            kind: .token,
            column: "registration",
            identity: nil,
            reading: .atApply
        )
        return try ListRowSearch(
            ListContent(.described(file), columns: columns),
            directory: folder.path
        ).first(where: matches)
    }

    private static let text = "name,registration\nAna,a:1\n\n\"two\nlines\",a:2\n,a:3\n"

    @Test func `finds a row by number, with the values and defaults of the message`() throws {
        let columns = MessageColumns(names: ["name"], defaults: ["name": "angler"], sizes: [])
        let rows = try (1...4).map { number in
            try Self.search(Self.text, columns: columns) { found, _ in found == number }
        }
        #expect(rows.map { $0?.number } == [1, 2, 3, nil])
        #expect(
            rows.map { $0?.values } == [
                ["name": "Ana"], ["name": "two\nlines"], ["name": "angler"], nil,
            ]
        )
    }

    @Test func `finds the row of a registration`() throws {
        let found = try Self.search(Self.text) { _, registration in registration.token == "a:2" }
        #expect(found?.number == 2)
        #expect(found?.values == [:])
    }

    @Test func `has the values of all texts, whatever the row's locale is`() throws {
        let text = "name,boat,locale,registration\nAna,,pt,a:1\nBo,Zé,en,a:2\n"
        let own = MessageText(.own, uses: [true, false], sizes: [])
        let pt = try #require(Locale("pt"))
        let columns = MessageColumns(
            names: ["name", "boat"],
            defaults: [:],
            sizes: [],
            texts: LocalizedTexts(
                column: "locale",
                lookup: LocaleLookup([.locale(pt), .others]),
                all: [own, MessageText(.locale(pt), uses: [false, true], sizes: [])]
            )
        )
        let rows = try (1...2).map { number in
            try Self.search(text, columns: columns) { found, _ in found == number }
        }
        #expect(rows.map { $0?.values } == [["name": "Ana"], ["name": "Bo", "boat": "Zé"]])
        #expect(rows.map { $0?.locale?.tag } == ["pt", "en"])
    }

    @Test func `a broken line is an error only before the row`() throws {
        let text = Self.text + "more\n"
        #expect(try Self.search(text) { number, _ in number == 3 }?.number == 3)
        #expect(throws: RegistrationListError.self) {
            _ = try Self.search(text) { number, _ in number == 4 }
        }
    }
}
