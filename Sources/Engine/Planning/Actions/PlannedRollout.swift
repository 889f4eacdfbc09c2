package import CampaignModel
import RegistrationLists
import State
import Time

/// How a send is divided into stages.
package struct PlannedRollout: Hashable, Sendable {
    package struct Stage: Hashable, Sendable {
        package let stage: RolloutStage
        /// The number of its requests that are not sent yet; nil if the list is read when the send begins.
        package let count: Int?

        package init(_ stage: RolloutStage, count: Int?) {
            self.stage = stage
            self.count = count
        }
    }

    /// All stages, in order.
    package let stages: [Stage]
    /// The number of the stage that is sent next.
    package let present: Int
    /// Seconds between two stages.
    package let pause: Int64
    /// When the next stage begins, if the send waits for that.
    package let until: ScheduledMoment?

    package init(
        _ stages: [Stage],
        present: Int = 0,
        pause: Int64,
        until: ScheduledMoment? = nil
    ) {
        self.stages = stages
        self.present = present
        self.pause = pause
        self.until = until
    }
}

/// Counts the requests of each stage.
struct StageCounter {
    private let rollout: Rollout
    private var places: [RolloutPlace] = []
    private var isAddressed: [Bool] = []

    init(_ rollout: Rollout) {
        self.rollout = rollout
    }

    /// `isAddressed`: whether the row gets a message that is not sent yet.
    mutating func add(_ place: RolloutPlace?, isAddressed: Bool) {
        guard let place else { return }
        places.append(place)
        self.isAddressed.append(isAddressed)
    }

    var stages: [PlannedRollout.Stage] {
        let bounds = RolloutBounds(of: rollout, points: places.compactMap(\.point))
        let all = rollout.allStages
        var counts = all.map { _ in 0 }
        for (place, isAddressed) in zip(places, isAddressed) where isAddressed {
            counts[bounds.stage(of: place)] += 1
        }
        return zip(all, counts).map { PlannedRollout.Stage($0, count: $1) }
    }
}

extension RolloutPlace {
    /// Nil for the canary.
    package var point: UInt64? { if case .point(let point) = self { point } else { nil } }
}

/// The column of a stored list that contains places.
struct StoredPlaces {
    private let column: Int
    private(set) var counter: StageCounter

    /// Nil if the list has no places, or if the campaign has no rollout.
    init?(of columns: [String], for rollout: Rollout?) {
        guard let rollout, let column = columns.firstIndex(of: MessageColumns.rolloutColumn) else {
            return nil
        }
        self.column = column
        counter = StageCounter(rollout)
    }

    mutating func add(_ row: RegistrationRow, isAddressed: Bool) {
        guard row.values.indices.contains(column) else { return }
        counter.add(RolloutPlace(stored: row.values[column]), isAddressed: isAddressed)
    }
}

// MARK: - Notices

extension Planner {
    /// The notice about the stages of the only occurrence of a campaign, which is sent later.
    func rolloutNotice(at due: ScheduledMoment, in history: CampaignHistory) -> [PlanNotice] {
        guard history.campaign.policy.rollout != nil, let id = history.campaign.onlyOccurrence,
            let send = try? send(of: id, due: due.instant, in: history)
        else { return [] }
        return rolloutNotice(on: send)
    }

    /// The notice about the stages of a send.
    ///
    /// `until`: when its next stage begins, if the send waits for that.
    func rolloutNotice(on send: SendStep, until: ScheduledMoment? = nil) -> [PlanNotice] {
        guard let record = send.rollout else { return [] }
        let unknown = record.rollout.allStages.map { PlannedRollout.Stage($0, count: nil) }
        let planned = PlannedRollout(
            send.stages ?? unknown,
            present: record.stage,
            pause: record.rollout.pause,
            until: until
        )
        return [.rollout(send.occurrence, planned)]
    }
}
