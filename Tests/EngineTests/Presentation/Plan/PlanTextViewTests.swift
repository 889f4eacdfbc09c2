import CampaignModel
import FCMWire
import JSON
import Presentation
import State
import TestSupport
import Testing
import Time

@testable import Planning

struct PlanTextViewTests {
    private let zones = TimeZoneDatabase.system(environment: [:])

    private func render(_ plan: Plan, useColor: Bool = false) -> String {
        PlanTextView(style: TextStyle(useColor: useColor)).render(plan, zones: zones)
    }

    @Test(.covers("C38")) func `reports that a ping to a topic collapses`() async throws {
        let scene = try PlanScene()
        let ping = try scene.campaign(fields: [:])
        let listed = try scene.campaign(to: .registrations(scene.file(0..<1)), fields: [:])
        let words = "an offline device gets only the newest"
        #expect(
            render(try await scene.plan([ping])).split(separator: /\s+/).joined(separator: " ")
                .contains(
                    words
                )
        )
        #expect(!render(try await scene.plan([listed])).contains("only the newest"))
        #expect(render(try await scene.plan([listed])).contains("what  ping"))
    }

    @Test(arguments: [
        (#"{"notification":{"title":"T"}}"#, "the second copy replaces the first (key"),
        (
            #"{"android":{"data":{"a":"b"}},"apns":{"payload":{"aps":{"alert":"A"}}}}"#,
            "the second copy replaces the first on Apple only (key"
        ),
        (#"{"data":{"a":"b"}}"#, nil), (#"{"apns":{"payload":{"aps":{"badge":1}}}}"#, nil),
    ])
    func `names the platforms on which a repeat replaces the first message`(
        message: String,
        words: String?
    ) async throws {
        let scene = try PlanScene()
        let fields = try #require(JSONValue(parsing: message)?.objectValue)
        let plan = try await scene.plan([scene.campaign(fields: fields)])
        let text = render(plan).split(separator: /\s+/).joined(separator: " ")
        let markdown = PlanMarkdownView().render(PlanDescription(plan, zones: zones))
        if let words {
            #expect(text.contains(words))
        } else {
            #expect(!text.contains("second copy") && !markdown.contains("second copy"))
        }
        #expect(text.contains("on Apple only") == markdown.contains("the first on Apple only"))
    }

    @Test func `has one line after the destination if there are no changes`() async throws {
        let scene = try PlanScene()
        let campaign = try scene.campaign(schedule: .at(PlanScene.moment(60)))
        try await scene.remember(scene.plan([campaign]))
        let text = render(try await scene.plan([campaign]))
        let destination = "Destination: dev, project ID shop, built-in emulator, not protected\n"
        #expect(
            text.hasPrefix(destination + "No changes. 1 campaign is up to date: sale.\nDigest ")
        )
        let serial = try await scene.store.appliedState().identity.serial
        #expect(text.hasSuffix("@\(serial)\n"))
        #expect(text.split(separator: "\n").count == 3)
        #expect(render(try await scene.plan([campaign], at: PlanScene.now)) == text)
    }

    @Test func `a plan with a waiting send is not called empty`()
        async throws
    {
        let scene = try PlanScene()
        try await scene.record([.unknown], of: scene.begin(scene.campaign()))
        let text = render(try await scene.plan([scene.campaign()]))
        #expect(
            text.contains(
                "  ! sale stopped: 1 request may have been sent (outcome unknown), so nothing\n"
            )
        )
        #expect(text.contains("`herald resolve sale/once/1 sent|resend|drop -e dev`"))
        #expect(text.contains("\nPlan: 1 campaign stopped.\nDigest "))
    }

    @Test func `counts unchanged campaigns only if there are any`() async throws {
        let scene = try PlanScene()
        let later = try scene.campaign("later", schedule: .at(PlanScene.moment(60)))
        let without = render(try await scene.plan([scene.campaign()]))
        #expect(without.contains("\nPlan: 1 campaign sent now. 1 request.\n"))
        try await scene.remember(scene.plan([later]))
        let with = render(try await scene.plan([scene.campaign(), later]))
        #expect(
            with.contains(
                "\nPlan: 1 campaign sent now. 1 request. 1 campaign unchanged: later.\n"
            )
        )
    }

    @Test func `says how a scheduled message is sent`() async throws {
        let scene = try PlanScene()
        let later = try scene.campaign("later", schedule: .at(PlanScene.moment(60)))
        let words = "`herald apply --due -e dev` (from a timer), or `herald apply -e dev`"
        let text = render(try await scene.plan([later])).split(separator: /\s+/)
        #expect(text.joined(separator: " ").contains(words))
        try await scene.remember(scene.plan([later]))
        let unchanged = render(try await scene.plan([later, scene.campaign()]))
        #expect(!unchanged.contains("scheduled message"))
    }

    @Test func `uses the name of a list`() async throws {
        let scene = try PlanScene()
        let text = render(
            try await scene.plan([
                scene.campaign("a", to: .registrations(scene.file(0..<1_200))),
                scene.campaign("b", to: .registrations(scene.inline(0))),
            ])
        )
        #expect(text.contains("> a sends now to 1,200 registrations of list.txt\n"))
        #expect(text.contains("> b sends now to 1 registration listed in the campaign\n"))
    }

    @Test func `colours symbols and names on request`() async throws {
        let scene = try PlanScene()
        let text = render(try await scene.plan([scene.campaign()]), useColor: true)
        #expect(text.contains("  \u{1B}[32m>\u{1B}[0m \u{1B}[1msale\u{1B}[0m sends now"))
    }

    @Test func `shows no registration`() throws {
        #expect(!render(try SamplePlan.make()).contains("SECRET"))
    }
}
