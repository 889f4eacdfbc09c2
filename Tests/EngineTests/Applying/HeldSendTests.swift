import CampaignModel
import Planning
import State
import StoreConformance
import Testing

@testable import Applying

/// Tests which held sends a complete check of registrations releases.
struct HeldSendTests {
    private let scene: PlanScene

    init() throws {
        scene = try PlanScene()
    }

    private var recorder: OccurrenceRecorder {
        OccurrenceRecorder(store: scene.store, fingerprinter: scene.fingerprinter)
    }

    private func campaign() throws -> Campaign {
        try scene.campaign(to: .registrations(scene.inline(0, 1, 2, 3)))
    }

    /// Holds a send whose first registration was answered.
    private func hold(_ hold: Hold) async throws {
        let unit = try await scene.begin(campaign())
        try await scene.record([.rejected, .returned], of: unit)
        try await scene.store.hold(scene.id("sale"), with: hold)
    }

    @Test(arguments: [Hold.mostlyDead, .refusedPayload])
    func `releases a send whose remaining registrations were checked`(hold: Hold) async throws {
        try await self.hold(hold)
        let checked = try scene.fingerprints(3, 7, 1, 2)
        #expect(try await recorder.release(checked: checked) == [scene.id("sale")])
        #expect(try await scene.record().hold == nil)
        guard case .resume(let send) = try await scene.step(campaign()) else {
            Issue.record("the send is not resumed")
            return
        }
        #expect(send.remaining == 3)
    }

    @Test func `keeps a send that has other registrations`() async throws {
        try await hold(.mostlyDead)
        let checked = try scene.fingerprints(0, 1, 3)
        #expect(try await recorder.release(checked: checked) == [])
        #expect(try await scene.record().hold == .mostlyDead)
    }

    @Test func `a topic send is never released`() async throws {
        _ = try await scene.begin(scene.campaign())
        try await scene.store.hold(scene.id("sale"), with: .refusedPayload)
        #expect(try await recorder.release(checked: scene.fingerprints(0)) == [])
        #expect(try await recorder.heldSends().map(\.id) == [scene.id("sale")])
    }
}
