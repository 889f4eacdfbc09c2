import CampaignModel
import State
import StoreConformance
import Testing

@testable import Applying

struct ResolvingTests {
    let scene: PlanScene

    init() throws {
        scene = try PlanScene()
    }

    private var recorder: OccurrenceRecorder {
        OccurrenceRecorder(store: scene.store, fingerprinter: scene.fingerprinter)
    }

    private func ask(_ resolution: Resolution, _ unknown: Int) async throws -> RequestedResolution {
        let asked = RequestedResolution(
            occurrence: try scene.id("sale"),
            resolution: resolution,
            unknown: unknown,
            user: "ann",
            host: "desk",
            at: PlanScene.now
        )
        #expect(try await scene.store.request(asked))
        return asked
    }

    @Test func `performs requested resolutions once in a separate run`() async throws {
        let unit = try await scene.begin(scene.campaign())
        try await scene.record([.unknown], of: unit)
        let asked = try await ask(.sent, 1)
        let done = try await recorder.performRequested(by: StoreFixtures.worker)
        let accepted = StoreFixtures.tally([.accepted: 1])
        #expect(done == [PerformedResolution(asked: asked, changed: accepted)])
        #expect(done[0].isDone)
        #expect(try await scene.record().status == .finished)
        let run = try #require(try await scene.store.runs(limit: 1).first)
        #expect(run.tally == accepted)
        #expect(
            try await scene.store.sendings(of: run.id)
                == [RunOccurrence(occurrence: try scene.id("sale"), tally: accepted)]
        )
        #expect(try await recorder.performRequested(by: StoreFixtures.worker) == [])
        #expect(try await scene.store.runs(limit: 1).first == run)
    }

    @Test func `requests to resend keep the occurrence open`() async throws {
        let unit = try await scene.begin(scene.campaign(to: .registrations(scene.inline(0, 1))))
        try await scene.record([.accepted, .unknown], of: unit)
        try await scene.store.close(scene.id("sale"), as: .finished)
        _ = try await ask(.resend, 1)
        _ = try await recorder.performRequested(by: StoreFixtures.worker)
        #expect(try await scene.record().status == .dispatching)
        #expect(try await scene.record().unit?.tally[.returned] == 1)
    }

    @Test func `does not end an occurrence with remaining requests`() async throws {
        let unit = try await scene.begin(scene.campaign(to: .registrations(scene.inline(0, 1))))
        try await scene.record([.unknown], of: unit)
        _ = try await ask(.drop, 1)
        _ = try await recorder.performRequested(by: StoreFixtures.worker)
        #expect(try await scene.record().status == .dispatching)
    }

    @Test func `performs nothing if other requests have become unknown since then`() async throws {
        let unit = try await scene.begin(scene.campaign(to: .registrations(scene.inline(0, 1))))
        try await scene.record([.unknown], of: unit)
        _ = try await ask(.drop, 1)
        try await scene.record([.unknown, .unknown], of: unit)
        let done = try await recorder.performRequested(by: StoreFixtures.worker)
        #expect(done.map(\.isDone) == [false])
        #expect(try await scene.record().unit?.tally[.unknown] == 2)
        #expect(try await scene.store.requestedResolutions() == [])
    }

    @Test func `an interrupted run records its changes, and the next one its unknown outcomes`()
        async throws
    {
        let unit = try await scene.begin(
            scene.campaign(to: .registrations(scene.inline(0, 1, 2, 3)))
        )
        try await scene.record([.accepted, .unknown, .intended], of: unit)
        let dead = try #require(try await scene.store.runs(limit: 1).first)
        _ = try await recorder.settleAfterCrash(by: StoreFixtures.worker)
        let runs = try await scene.store.runs(limit: 2)
        #expect(runs.map(\.status) == [.complete, .abandoned])
        #expect(runs[0].cause == "an earlier run was cut off")
        #expect(runs[0].tally == StoreFixtures.tally([.unknown: 1]))
        #expect(
            try await scene.store.sendings(of: dead.id).map(\.tally)
                == [StoreFixtures.tally([.accepted: 1, .unknown: 1, .intended: 1])]
        )
        #expect(
            try await scene.store.sendings(of: runs[0].id).map(\.tally)
                == [StoreFixtures.tally([.unknown: 1])]
        )
    }
}
