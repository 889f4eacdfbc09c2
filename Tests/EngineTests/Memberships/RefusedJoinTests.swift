import CampaignModel
import Planning
import Presentation
import State
import StoreConformance
import Testing

@testable import Memberships

struct RefusedJoinTests {
    let scene: PlanScene

    init() throws {
        scene = try PlanScene()
    }

    private var book: RefusedJoinBook { RefusedJoinBook(scene.store) }

    private func all() throws -> RefusedJoinSelection {
        .audience(try #require(AudienceID("all")))
    }

    /// 0 joined; 1, 2 and 3 were refused in `news`, 1 also in `sport` and for another audience.
    private func prepare() async throws {
        try await scene.join(0)
        try await scene.keep(1, 2, 3, as: .refused)
        try await scene.keep(1, as: .refused, topic: "sport")
        try await scene.keep(1, as: .refused, audience: "more")
    }

    @Test func `the next plan contains the refused joins of an audience again`() async throws {
        try await prepare()
        let audience = try scene.audience(scene.inline(0, 1, 2, 3))
        #expect(try await scene.plan(audiences: [audience], removals: others()).joins == [])
        let joins = try await book.joins(all())
        try await book.putBack(joins)
        #expect(joins.map(\.scope.topic.name) == ["news", "sport"])
        let plan = try await scene.plan(audiences: [audience], removals: others())
        #expect(try plan.joins == scene.fingerprints(1, 2, 3))
        #expect(plan.notices.allSatisfy { !$0.isAboutRefusal })
        #expect(try await Array(scene.statuses("more").values) == [.refused])
        #expect(try await book.joins(all()) == [])
    }

    /// Removes the audience `more`, which no document declares.
    private func others() throws -> [AudienceRemoval] { [try scene.removal(.forget, of: "more")] }

    @Test(arguments: [true, false])
    func `puts the joins of single registrations back, in every audience`(
        isShort: Bool
    ) async throws {
        try await prepare()
        let one = try scene.fingerprints(1)[0]
        let selection: RefusedJoinSelection =
            isShort ? .registrations([], short: [one.high]) : .registrations([one], short: [])
        let joins = try await book.joins(selection)
        #expect(
            joins.map { "\($0.scope.audience) \($0.scope.topic) \($0.fingerprints)" } == [
                "all news \([one])", "all sport \([one])", "more news \([one])",
            ]
        )
        try await book.putBack(joins)
        let rest = try await scene.statuses()
        #expect(rest[one] == nil)
        #expect(try rest[scene.fingerprints(2)[0]] == .refused)
        #expect(try await scene.statuses("more") == [:])
    }

    @Test func `joins of dead registrations stay refused`() async throws {
        try await scene.keep(1, 2, as: .refused)
        try await scene.store.markDead(scene.fingerprints(2), at: PlanScene.now)
        let joins = try await book.joins(all())
        #expect(try joins.map(\.fingerprints) == [scene.fingerprints(1)])
        #expect(joins.map(\.dead) == [1])
        try await book.putBack(joins)
        #expect(try await scene.statuses() == [scene.fingerprints(2)[0]: .refused])
    }

    @Test func `changes no member that was not refused`() async throws {
        try await scene.keep(0, as: .joining)
        try await scene.keep(1, as: .leaving)
        try await scene.keep(2, as: .external)
        try await scene.keep(3, as: .optedOut)
        try await scene.join(4)
        let before = try await scene.statuses()
        let joins = try await book.joins(all())
        #expect(joins == [])
        try await book.putBack(joins)
        #expect(try await scene.statuses() == before)
    }

    @Test func `reports the joins that are put back and those that stay refused`() throws {
        let view = RefusedJoinTextView(style: .plain)
        let scope = try StoreFixtures.scope("anglers", "tides")
        let fingerprints = try StoreFixtures.members(0..<3).map(\.fingerprint)
        func joins(_ count: Int, dead: Int) -> RefusedJoins {
            RefusedJoins(
                .audience(scope.audience),
                among: fingerprints.prefix(count + dead)
                    .map { Membership(fingerprint: $0, status: .refused) },
                in: scope,
                dead: DeadRegistrations(
                    sorted: fingerprints[count..<count + dead].sorted()
                )
            )
        }
        #expect(view.render([]) == "No joins to retry. Nothing was changed.\n")
        #expect(
            view.render([joins(2, dead: 1)]) == """
                  anglers in tides  2 joins
                1 join of dead registrations stays refused; if FCM was wrong, use \
                `herald registrations revive FINGERPRINT|@FILE` first
                The next plan contains 2 joins again: `herald plan`

                """
        )
        #expect(view.render([joins(0, dead: 2)]).hasSuffix("Nothing was changed.\n"))
    }
}

extension Plan {
    fileprivate var joins: [Fingerprint] { memberships.flatMap(\.joins) }
}

extension PlanNotice {
    fileprivate var isAboutRefusal: Bool {
        if case .refusedMembers = self { true } else { false }
    }
}
