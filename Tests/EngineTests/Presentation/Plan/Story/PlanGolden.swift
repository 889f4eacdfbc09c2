import FoundationEssentials
import Presentation
import TestSupport
import Testing
import Time

@testable import Planning

/// Plans whose views are stored in `Tests/Goldens/plans`, in files with the scene's name.
enum PlanGolden: String, CaseIterable {
    /// Every step of a campaign and every notice.
    case everything
    /// A project that is applied for the first time.
    case first
    /// A project that was changed since the last apply.
    case changed
    /// Changes that the other scenes do not have, each in one campaign.
    case others
    /// Days on which clocks go forward or back.
    case clocks
    /// All messages of guards.
    case guards
    /// Lists that are read when their sends begin.
    case atSend = "at-send"
    /// An environment in which a service sends.
    case handOver = "hand-over"
    /// Campaigns that correct others.
    case corrections
    /// Upstream rules that reply: new, changed, removed and unchanged.
    case replies
    /// A project without changes.
    case nothing
    /// Hostile text, in scripts of several widths.
    case hostile

    /// Returns the plan, which is made once.
    func plan() async throws -> Plan { try #require(try await Self.plans.value[self]) }

    static func allPlans() async throws -> [Plan] {
        let plans = try await plans.value
        return allCases.compactMap { plans[$0] }
    }

    private static let plans = Task {
        var plans: [PlanGolden: Plan] = [:]
        for golden in allCases { plans[golden] = try await golden.made() }
        return plans
    }

    private func made() async throws -> Plan {
        switch self {
        case .everything: try EverythingScene.plan()
        case .first: try await TidewatchScene().first()
        case .changed: try await TidewatchScene().changed()
        case .others: try await OtherChangesScene.plan()
        case .clocks: try await ClockScene.plan()
        case .guards: try await GuardWordsScene.plan()
        case .atSend: try await ListAtSendScene.plan()
        case .handOver: try await HandOverScene.plan()
        case .corrections: try await CorrectionScene.plan()
        case .replies: try await ReplyScene.plan()
        case .nothing: try await TidewatchScene().nothing()
        case .hostile: try await HostileScene.plan()
        }
    }

    func story() async throws -> PlanDescription {
        PlanDescription(try await plan(), zones: Self.zones)
    }

    static let zones = TimeZoneDatabase.system(environment: [:])

    /// Compares a view with its golden file, or writes it for `make goldens`.
    func expect(
        _ text: String,
        as ending: String,
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        let url = Self.folder.appending(path: "\(rawValue).\(ending)")
        if ProcessInfo.processInfo.environment["HERALD_GOLDENS"] == "write" {
            try Data(text.utf8).write(to: url)
        }
        let golden = String(decoding: try Data(contentsOf: url), as: UTF8.self)
        #expect(text == golden, "make goldens shows what changed", sourceLocation: sourceLocation)
    }

    private static let folder = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "../../../../Goldens/plans")
}
