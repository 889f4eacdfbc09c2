import CampaignModel

/// How long FCM needs for fan-outs.
struct FanOutLength: Hashable, Sendable {
    private let sizes: [Topic: Int]
    private let pace: Pace

    /// - Parameters:
    ///   - sizes: The known sizes of topics.
    ///   - pace: The pace of the environment.
    init(sizes: [Topic: Int], pace: Pace) {
        self.sizes = sizes
        self.pace = pace
    }

    /// Returns the seconds that a send needs; 0 for a list or an unknown reach.
    func seconds(of target: AudienceTarget) -> Int64 {
        let reach: Int? =
            switch target {
            case .topic(let topic): sizes[topic]
            case .condition(let condition):
                ReachEstimate(sizes: sizes).upperBound(of: .condition(condition))
            case .group: DeviceGroupName.largestGroup
            case .registrations: nil
            }
        guard let reach else { return 0 }
        return Int64(reach / max(1, pace.fanOutRate)) + 1
    }
}
