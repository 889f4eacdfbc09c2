package import CampaignModel
package import Planning

extension DueSend {
    /// For a list that is read when its send begins.
    private static let unknownRequests = 1 << 32

    /// A send of a plan that was made from the state alone.
    ///
    /// - Parameters:
    ///   - send: The send.
    ///   - campaign: Its campaign.
    ///   - reach: The number of devices that a fan-out reaches; nil if unknown.
    ///   - settled: When the joins to its topics have settled.
    package init(
        _ send: SendStep,
        of campaign: Campaign,
        reach: Int?,
        settled: Duration? = nil
    ) {
        let otherwise: LatePolicy.Late? =
            switch campaign.schedule {
            case .immediate: nil
            case .at: .fail
            case .repeating: .skip
            }
        // What has started is never late.
        let timeliness = send.unit == nil ? otherwise : nil
        self.init(
            send.occurrence,
            due: send.due,
            priority: campaign.priority,
            kind: send.isFanOut ? .fanOut(reach: reach) : .list,
            requests: send.target.listAtSend == nil ? send.remaining : Self.unknownRequests,
            timeliness: timeliness.map { Timeliness(campaign.timeliness, otherwise: $0) },
            expires: campaign.delivery.expires?.instant,
            deferral: send.unit == nil ? send.hold?.deferral : send.hold?.deferral.ofRest,
            isCapped: send.caps?.cap != nil,
            settled: settled
        )
    }
}
