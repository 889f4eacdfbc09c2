import CampaignModel
import JSON
import Planning
import State
import StoreConformance
import TestSupport
import Testing

struct PlannedRequestsTests {
    let scene: PlanScene

    init() throws {
        scene = try PlanScene()
    }

    private func requests(_ plan: Plan) -> [PlannedRequests] {
        var requests: [PlannedRequests] = []
        plan.forEachRequest(project: "shop-1") { requests.append($0) }
        return requests
    }

    @Test(.covers("A11", "M11"))
    func `batches have at most a thousand members, leaves before joins before sends`() async throws
    {
        let audience = try scene.audience(scene.file(0..<2_001))
        try await scene.joining(Array(5_000..<6_001))
        let requests = requests(try await scene.plan([scene.campaign()], audiences: [audience]))
        #expect(
            requests.map(\.path) == [
                "/iid/v1:batchRemove", "/iid/v1:batchRemove", "/iid/v1:batchAdd",
                "/iid/v1:batchAdd", "/iid/v1:batchAdd", "/v1/projects/shop-1/messages:send",
            ]
        )
        let sizes = requests.map { $0.body["registration_tokens"]?.arrayValue?.count }
        #expect(sizes == [1_000, 1, 1_000, 1_000, 1, nil])
        #expect(requests.map(\.count) == [1, 1, 1, 1, 1, 1])
        #expect(requests[2].purpose == .join(audience.id))
        #expect(requests[0].purpose == .leave(audience.id))
    }

    @Test func `a batch names fingerprints`() async throws {
        let audience = try scene.audience(scene.inline(0, 1))
        #expect(
            requests(try await scene.plan(audiences: [audience])).map(\.body) == [
                [
                    "to": "/topics/news",
                    "registration_tokens": ["7e4a618160027081", "593d0ee16d26b7f0"],
                ]
            ]
        )
    }

    /// The key is `printf sale/once/1 | sha256sum | cut -c1-16`.
    @Test(.covers("A07")) func `a list has one request per registration`() async throws {
        let campaign = try scene.campaign(to: .registrations(scene.inline(0, 1)))
        let plan = try await scene.plan([campaign])
        let request = try #require(requests(plan).first)
        #expect(
            request.body == [
                "message": [
                    "token": "{registration}", "notification": ["title": "Hello"],
                    "android": ["notification": ["tag": "5cbb89fc16373a44"]],
                    "apns": ["headers": ["apns-collapse-id": "5cbb89fc16373a44"]],
                    "webpush": ["notification": ["tag": "5cbb89fc16373a44"]],
                ]
            ]
        )
        #expect(try request.registrations == scene.fingerprints(0, 1))
        #expect(request.count == 2)
        #expect(PlanSummary(plan).requests == 2)
    }

    @Test func `a campaign with locales has requests for each text`() async throws {
        let rows = try zip(0..., ["pt", "nl", "pt-BR"]).map { number, locale in
            "\(try scene.registration(number).token),\(locale)\n"
        }
        try scene.write("registration,locale\n" + rows.joined(), to: "list.csv")
        let list = RegistrationList.described(
            RegistrationFile(
                path: "list.csv",
                format: .csv,
                kind: .token,
                column: "registration",
                identity: nil,
                reading: .atApply
            )
        )
        let pt = try #require(Locale("pt"))
        let base = try scene.campaign(to: .registrations(list))
        let campaign = Campaign(
            id: base.id,
            about: nil,
            owner: nil,
            target: base.target,
            audience: nil,
            content: base.content,
            delivery: base.delivery,
            schedule: base.schedule,
            localizations: [
                Localization(
                    locale: pt,
                    content: MessageContent(fields: ["notification": ["title": "Olá"]])
                )
            ],
            coversOtherLocales: true
        )
        let plan = try await scene.plan([campaign])
        let requests = requests(plan)
        let titles = requests.map { $0.body["message"]?["notification"]?["title"] }
        #expect(titles == ["Hello", "Olá"])
        #expect(
            try requests.map(\.registrations) == [
                scene.fingerprints(1), scene.fingerprints(0, 2),
            ]
        )
        #expect(
            plan.campaigns.first?.texts == [
                PlannedText(.own, count: 1), PlannedText(.locale(pt), count: 2),
            ]
        )
        #expect(PlanSummary(plan).requests == 3)
        let changed = try await scene.plan([base])
        #expect(plan.digest.hash != changed.digest.hash)
    }

    @Test(.covers("A02", "A49"))
    func `a condition has one request, with an expiry relative to the send`() async throws {
        let condition = try Condition(parsing: "'a' in topics && 'b' in topics")
        let campaign = try scene.campaign(
            to: .condition(condition),
            fields: ["notification": ["title": "A"]],
            delivery: Delivery(
                timeToLive: TimeToLive(seconds: 90),
                priority: nil,
                collapse: nil
            )
        )
        let request = try #require(requests(try await scene.plan([campaign])).first)
        #expect(
            request.body == [
                "message": [
                    "condition": "'a' in topics && 'b' in topics",
                    "notification": ["title": "A"],
                    "android": ["ttl": "90s", "notification": ["tag": "5cbb89fc16373a44"]],
                    "apns": [
                        "headers": [
                            "apns-expiration": "moment of sending + 90 s",
                            "apns-collapse-id": "5cbb89fc16373a44",
                        ]
                    ],
                    "webpush": [
                        "headers": ["TTL": "90"], "notification": ["tag": "5cbb89fc16373a44"],
                    ],
                ]
            ]
        )
        #expect(request.registrations == nil)
    }

    @Test func `the summary counts each step`() async throws {
        try await scene.remember(
            scene.plan([
                scene.campaign("gone", schedule: .at(PlanScene.moment(60))),
                scene.campaign("moved", schedule: .at(PlanScene.moment(60))),
                scene.campaign("changed", schedule: .at(PlanScene.moment(60))),
            ])
        )
        try await scene.join(0)
        try await scene.joining([7])
        try await scene.store.finishJoin(
            StoreFixtures.results(scene.members([7]), .refused("NOT_FOUND")),
            in: StoreFixtures.scope("all", "news")
        )
        let plan = try await scene.plan(
            [
                scene.campaign("new"),
                scene.campaign("moved", schedule: .at(PlanScene.moment(61))),
                scene.campaign("changed", title: "Bye", schedule: .at(PlanScene.moment(60))),
                scene.campaign("late", schedule: .at(PlanScene.moment(-900))),
                scene.campaign("list", to: .registrations(scene.inline(0, 1, 2))),
            ],
            audiences: [scene.audience(scene.inline(1, 2))]
        )
        let summary = PlanSummary(plan)
        #expect(summary.joins == 2)
        #expect(summary.leaves == 1)
        #expect(summary.forgotten == 1)
        #expect(summary.sends == 2)
        #expect(summary.scheduled == 1)
        #expect(summary.changed == 1)
        #expect(summary.cancelled == 1)
        #expect(summary.expired == 1)
        #expect(summary.stopped == 0)
        #expect(summary.requests == 6)
    }
}
