import CampaignMessages
import CampaignModel
import JSON
import Testing

@testable import Planning
@testable import Presentation

struct PersonalDescriptionTests {
    private func description(
        _ columns: [PersonalText.Column],
        rows: Int? = 200
    ) throws -> PersonalDescription {
        let scene = try PlanScene()
        func template(name: String, boat: String) throws -> MessageTemplate {
            let campaign = try scene.campaign(
                fields: [
                    "notification": [
                        "title": .string("Hello \(name)"), "body": .string("\(boat) is ready"),
                    ],
                    "data": ["boat": .string(boat), "screen": "boats"],
                ]
            )
            return DeliveryLowering(campaign).template
        }
        let personal = PersonalText(
            columns: columns,
            count: rows,
            sample: try template(name: "‹name›", boat: "your boat")
        )
        return PersonalDescription(
            personal,
            of: try template(name: "{{name}}", boat: "{{boat}}")
        )
    }

    private func column(
        _ name: String,
        _ standard: String? = nil,
        defaulted: Int = 0
    ) -> PersonalText.Column {
        PersonalText.Column(name: name, standard: standard, defaulted: defaulted)
    }

    @Test func `shows each text that contains values once`() throws {
        let examples = try description([column("name"), column("boat")]).examples
        #expect(examples.map(\.path) == ["title", "body", "data.boat"])
        #expect(examples.map(\.value) == ["Hello ‹name›", "your boat is ready", "your boat"])
    }

    @Test func `says what the rows of a list must have that is read later`() throws {
        let description = try description(
            [column("name"), column("city"), column("boat", "your boat")],
            rows: nil
        )
        #expect(
            description.sentences { "`\($0)`" } == [
                "Each row must have a value for `name` and `city`; if one has none, nothing is sent "
                    + "to any row.",
                "Rows without a value for `boat` get `your boat`.",
            ]
        )
    }

    @Test func `counts rows with and without values`() throws {
        func sentences(_ columns: PersonalText.Column..., rows: Int = 200) throws -> [String] {
            try description(columns, rows: rows).sentences { "`\($0)`" }
        }
        #expect(
            try sentences(column("name"), column("city"))
                == ["All 200 rows have a value for `name` and `city`."]
        )
        #expect(
            try sentences(column("name"), column("boat", "your boat", defaulted: 12)) == [
                "All 200 rows have a value for `name`.",
                "12 of 200 rows have no value for `boat` and get `your boat`.",
            ]
        )
        #expect(
            try sentences(column("boat", "x", defaulted: 1), rows: 1)
                == ["1 of 1 row has no value for `boat` and gets `x`."]
        )
        #expect(try sentences(column("name"), rows: 1) == ["The row has a value for `name`."])
    }
}
