import CampaignMessages
import CampaignModel
import Planning
import State
import Time

// The slots of fan-outs: one is held from its acceptance on until FCM is taken to be through.
extension Applier {
    private static let tellEvery = Duration.seconds(10)
    private static let lookEvery = Duration.milliseconds(500)

    /// Returns when a slot is free, when the message is worth nothing any more, or when somebody
    /// paused its campaign.
    ///
    /// It waits in real time, whatever clock was set: it is FCM that needs it.
    func waitForSlot(_ send: SendStep, of plan: Plan) async throws(ApplyError) {
        guard send.isFanOut else { return }
        var told: Duration?
        while let free = paces.slots({ $0.next(now: $1) }), !isOver(send, of: plan),
            try !isPaused(send)
        {
            let now = paces.now
            if told.map({ now - $0 >= Self.tellEvery }) ?? true {
                report(.pausing(.fanOut, for: free - now))
                told = now
            }
            try await stop.pause(for: min(free - now, Self.lookEvery))
        }
    }

    /// What is sent at once has its life before it whenever that is.
    private func isOver(_ send: SendStep, of plan: Plan) -> Bool {
        let isImmediate = send.unit == nil && send.due == plan.now
        return !isImmediate && send.template.isOver(at: clock.now(), due: send.due)
    }

    /// FCM may be at work on what it took, and on what nobody knows whether it did.
    func holdSlot(_ send: SendStep, _ sent: SendReport, of plan: Plan) {
        guard send.isFanOut, sent.tally[.accepted] + sent.tally[.unknown] > 0 else { return }
        paces.slots { $0.hold(reach: plan.reach(of: send), now: $1) }
    }
}
