package import CampaignModel

/// The place of a recipient in the order of a rollout.
///
/// The point is a hash of the person, so that the order has nothing to do with that of the list, and a changed stage
/// moves no one.
package enum RolloutPlace: Hashable, Sendable {
    /// Before everyone else.
    case canary
    /// In units of 2^-64.
    case point(UInt64)

    /// The value in the stored column.
    package var stored: String {
        switch self {
        case .canary: "canary"
        case .point(let point): String(point, radix: 16)
        }
    }

    /// Nil if the text is not a place.
    package init?(stored: String) {
        if stored == "canary" {
            self = .canary
        } else if let point = UInt64(stored, radix: 16) {
            self = .point(point)
        } else {
            return nil
        }
    }
}

/// Assigns places to the rows of a list.
struct RolloutPlaces {
    private let points: SubjectPoints
    private let hasCanary: Bool

    init(_ columns: RolloutColumns) {
        points = SubjectPoints(
            project: columns.project,
            experiment: Rollout.experimentName(of: columns.campaign)
        )
        hasCanary = columns.hasCanary
    }

    func place(of row: ListRow) -> RolloutPlace {
        if hasCanary, row.part == 0 { return .canary }
        return .point(points.point(of: row.identity ?? row.registration.token))
    }
}

/// Decides which stage of a rollout has a place.
///
/// Stages are nested: each has the points below a bound that no earlier one has.
package struct RolloutBounds: Hashable, Sendable {
    /// The end of each stage except the canary.
    private let ends: [PointRange]
    /// The number of the first of them.
    private let first: Int

    /// `points`: those of the whole list; needed only if a stage is a number of recipients.
    package init(of rollout: Rollout, points: [UInt64]) {
        let needsPoints = rollout.countsRecipients
        let ordered = needsPoints ? Array(Set(points)).sorted() : []
        var ends: [PointRange] = []
        for stage in rollout.allStages {
            switch stage {
            case .canary: break
            case .part(.share(let share)): ends.append(PointRange(share))
            case .part(.count(let count)):
                ends.append(PointRange(below: count < ordered.count ? ordered[count] : nil))
            case .rest: ends.append(PointRange(below: nil))
            }
        }
        self.ends = ends
        first = rollout.canary == nil ? 0 : 1
    }

    /// The number of the stage, in the order of `Rollout.allStages`.
    package func stage(of place: RolloutPlace) -> Int {
        guard case .point(let point) = place else { return 0 }
        return first + (ends.firstIndex { $0.contains(point) } ?? ends.count - 1)
    }
}

extension Rollout {
    /// Whether a stage is a number of recipients, whose end depends on the whole list.
    package var countsRecipients: Bool {
        stages.contains { if case .count = $0 { true } else { false } }
    }
}
