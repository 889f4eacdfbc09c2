import CampaignModel
import Planning
import Testing

struct SelectionCatalogTests {
    private let catalog: SelectionCatalog

    init() throws {
        func campaign(
            _ name: String,
            _ path: String?,
            _ change: (inout SelectableCampaign) throws -> Void = { _ in }
        ) throws -> SelectableCampaign {
            var campaign = SelectableCampaign(id: try #require(CampaignID(name)))
            campaign.path = path
            try change(&campaign)
            return campaign
        }
        var anglers = SelectableAudience(id: try #require(AudienceID("anglers")))
        anglers.paths = ["campaigns/lists/anglers.yaml"]
        anglers.labels = ["team": "beta"]
        anglers.topics = [try #require(Topic("tides"))]
        let former = try #require(CampaignID("old-tide"))
        catalog = SelectionCatalog(
            campaigns: [
                try campaign("tide", "campaigns/tide.yaml") {
                    $0.topics = [try #require(Topic("tides"))]
                    $0.labels = ["team": "growth", "quarter": "1"]
                    $0.formerID = former
                },
                try campaign("call", "campaigns/summer/call.yaml") {
                    $0.audience = AudienceID("anglers")
                    $0.labels = ["team": "beta"]
                },
                try campaign("sale", "campaigns/summer/deep/sale.yaml"),
                try campaign("gone", nil),
            ],
            audiences: [anglers]
        )
    }

    private func chosen(only: [String] = [], except: [String] = []) throws -> [String] {
        let selection = try catalog.selection(only: only, except: except)
        let campaigns = try ["tide", "old-tide", "call", "sale", "gone"].filter {
            selection.includes(try #require(CampaignID($0)))
        }
        let audience = try #require(AudienceID("anglers"))
        return campaigns + (selection.includes(audience) ? ["anglers"] : [])
    }

    @Test(arguments: [
        (["tide"], ["tide", "old-tide", "anglers"]),
        (["old-tide"], ["tide", "old-tide", "anglers"]),
        (["call"], ["call", "anglers"]),
        (["sale"], ["sale"]),
        (["gone"], ["gone"]),
        (["anglers"], ["anglers"]),
        (["gone", "sale"], ["sale", "gone"]),
        (["label:team"], ["tide", "old-tide", "call", "anglers"]),
        (["label:team=beta"], ["call", "anglers"]),
        (["label:quarter=1"], ["tide", "old-tide", "anglers"]),
        (["campaigns/tide.yaml"], ["tide", "old-tide", "anglers"]),
        (["./campaigns/summer/call.yaml"], ["call", "anglers"]),
        (["campaigns/summer"], ["call", "sale", "anglers"]),
        (["campaigns/summer/"], ["call", "sale", "anglers"]),
        (["campaigns"], ["tide", "old-tide", "call", "sale", "anglers"]),
        (["campaigns/summer/*.yaml"], ["call", "anglers"]),
        (["campaigns/**/sale.yaml"], ["sale"]),
        (["campaigns/**/tide.yaml"], ["tide", "old-tide", "anglers"]),
        (["campaigns/*/d??p/*"], ["sale"]),
        (["campaigns/lists/*"], ["anglers"]),
        (["s*l?"], ["sale"]),
        (["*"], ["tide", "old-tide", "call", "sale", "gone", "anglers"]),
    ])
    func `only includes the memberships that a campaign depends on`(
        only: [String],
        expected: [String]
    ) throws {
        #expect(try chosen(only: only) == expected)
    }

    @Test(arguments: [
        (["tide"], ["call", "sale", "gone", "anglers"]),
        (["anglers"], ["sale", "gone"]),
        (["label:team=beta"], ["sale", "gone"]),
        (["campaigns/summer", "gone"], ["tide", "old-tide", "anglers"]),
    ])
    func `except excludes everything that depends on the named parts`(
        except: [String],
        expected: [String]
    ) throws {
        #expect(try chosen(except: except) == expected)
    }

    @Test func `only and except together give the difference`() throws {
        #expect(
            try chosen(only: ["campaigns"], except: ["call"]) == [
                "tide", "old-tide", "sale", "anglers",
            ]
        )
        #expect(try chosen(only: ["call", "sale"], except: ["call"]) == ["sale"])
        #expect(try chosen(only: ["call"], except: ["anglers"]) == [])
    }

    @Test func `without selectors everything is planned`() throws {
        #expect(try catalog.selection(only: [], except: []) == .everything)
        #expect(try chosen().count == 6)
    }

    @Test(arguments: [
        ("tied", "tide"), ("label:taem", "label:team"), ("label:team=bета", "label:team=growth"),
        ("campaigns/tied.yaml", "campaigns/tide.yaml"), ("*x", "tide"),
    ])
    func `a selector without a match is an error with suggestions`(
        text: String,
        candidate: String
    ) throws {
        let error = #expect(throws: SelectionError.self) {
            try catalog.selection(only: [text], except: [])
        }
        #expect(error?.selector == text)
        #expect(error?.candidates.contains(candidate) == true)
        #expect(throws: SelectionError.self) {
            try catalog.selection(only: [], except: ["tide", text])
        }
    }
}
