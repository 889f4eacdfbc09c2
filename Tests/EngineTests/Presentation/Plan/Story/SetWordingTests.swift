import CampaignModel
import JSON
import RegistrationLists
import Testing

@testable import Presentation

struct SetWordingTests {
    private static func part(_ name: String?, identity: String? = nil) -> ListSet.Part {
        let file = RegistrationFile(
            path: "\(name ?? "list").csv",
            format: .csv,
            kind: .token,
            column: "registration",
            identity: identity,
            reading: .atApply
        )
        return ListSet.Part(name.flatMap { AudienceID($0) }, list: .described(file))
    }

    private static func counted(
        _ name: String,
        _ count: Int,
        composition: ListComposition? = nil
    ) -> ListComposition.Part {
        ListComposition.Part(
            name: name,
            count: count,
            id: ListID(text: name),
            composition: composition
        )
    }

    private static func composition(
        _ operation: ListSet.Operation = .union,
        of parts: KeyValuePairs<String, Int>,
        except excluded: KeyValuePairs<String, Int> = [:],
        dropped: ListComposition.Dropped,
        identity: String? = nil,
        people: Int? = nil
    ) -> ListComposition {
        ListComposition(
            ListSet(
                operation,
                of: parts.map { part($0.key, identity: identity) },
                except: excluded.map { part($0.key, identity: identity) }
            ),
            parts: parts.map { counted($0.key, $0.value) },
            excluded: excluded.map { counted($0.key, $0.value) },
            dropped: dropped,
            people: people
        )
    }

    @Test func `counts the rows of a union, by identity`() {
        let composition = Self.composition(
            of: ["anglers": 9_000, "sailors": 3_000],
            except: ["staff": 700],
            dropped: .init(repeated: 380, excluded: 600),
            identity: "user",
            people: 8_412
        )
        #expect(
            SetWording(composition).sentences == [
                "The list is the union of anglers and sailors, except staff, compared by identity "
                    + "(user): 9,000 + 3,000 − 380 in both − 600 of staff = 11,020 registrations "
                    + "of 8,412 people."
            ]
        )
    }

    @Test func `a union without exceptions is compared by registration`() {
        let composition = Self.composition(
            of: ["a": 3, "b": 2, "c": 1],
            dropped: .init(repeated: 2),
            identity: "user",
            people: 1
        )
        #expect(
            SetWording(composition).sentences == [
                "The list is the union of a, b and c, compared by registration: 3 + 2 + 1 − 2 in "
                    + "several = 4 registrations of 1 person."
            ]
        )
    }

    @Test func `counts the rows of an intersection`() {
        let composition = Self.composition(
            .allOf,
            of: ["anglers": 9_000, "sailors": 3_000],
            except: ["staff": 50, "testers": 2],
            dropped: .init(unmatched: 11_240, repeated: 380, excluded: 20)
        )
        #expect(
            SetWording(composition).sentences == [
                "The list is the intersection of anglers and sailors, except staff and testers, "
                    + "compared by registration: 380 in both (of 9,000 + 3,000) − 20 of staff or "
                    + "testers = 360 registrations."
            ]
        )
    }

    @Test func `describes the sets in a set`() {
        let inner = Self.composition(of: ["a": 3, "b": 2], dropped: .init(repeated: 1))
        let set = ListSet(of: [Self.part("crew")], except: [Self.part("staff")])
        let composition = ListComposition(
            set,
            parts: [Self.counted("crew", 4, composition: inner)],
            excluded: [Self.counted("staff", 9)],
            dropped: .init(excluded: 1)
        )
        #expect(
            SetWording(composition).sentences == [
                "The list is crew, except staff, compared by registration: 4 − 1 of staff = 3 "
                    + "registrations.",
                "crew is the union of a and b, compared by registration: 3 + 2 − 1 in both = 4 "
                    + "registrations.",
            ]
        )
    }

    @Test func `the JSON plan has all counts`() {
        let composition = Self.composition(
            .allOf,
            of: ["anglers": 3, "sailors": 2],
            except: ["staff": 1],
            dropped: .init(unmatched: 1, repeated: 2, excluded: 1),
            identity: "user",
            people: 1
        )
        let expected: JSONValue = [
            "operation": "all_of", "identity": ["user"],
            "lists": [
                ["list": "anglers", "registrations": 3], ["list": "sailors", "registrations": 2],
            ],
            "except": [["list": "staff", "registrations": 1]],
            "unmatched": 1, "repeated": 2, "excluded": 1, "registrations": 1, "people": 1,
        ]
        #expect(JSONValue.object(PlanJSON.listSet.json(of: composition)) == expected)
    }
}
