import CampaignMessages
import CampaignModel
import Planning
import RateControl
import RunControl
import Sending
import State
import Time

// Fan-out permits: each is held from the acceptance until FCM has probably finished.
extension Applier {
    private static let tellEvery = Duration.seconds(10)
    private static let lookEvery = Duration.milliseconds(500)

    /// Waits until a permit is free, the message has expired, or its campaign is paused.
    ///
    /// It waits in real time, even if the clock is fixed, because FCM needs the time.
    func waitForSlot(_ send: SendStep, of plan: Plan) async throws(ApplyError) {
        guard send.isFanOut else { return }
        var told: Duration?
        while let free = paces.slots({ $0.next(now: $1) }), !isOver(send, of: plan),
            try await pause(of: send.occurrence) == nil
        {
            let now = paces.now
            if told.map({ now - $0 >= Self.tellEvery }) ?? true {
                settings.report(.pausing(.fanOut, for: free - now, of: send.occurrence))
                told = now
            }
            try await settings.stop.pause(for: min(free - now, Self.lookEvery))
        }
    }

    /// Whether the message has expired; a message without a schedule gets its full lifetime from
    /// the send.
    private func isOver(_ send: SendStep, of plan: Plan) -> Bool {
        let isImmediate = send.unit == nil && send.due == plan.now
        return !isImmediate && send.template.isOver(at: settings.clock.now(), due: send.due)
    }

    /// Holds a permit, because FCM may be processing accepted requests and those with an unknown
    /// outcome.
    func holdSlot(for send: SendStep, after sent: SendReport, of plan: Plan) {
        guard send.isFanOut, sent.tally[.accepted] + sent.tally[.unknown] > 0 else { return }
        paces.slots { $0.hold(reach: plan.reach(of: send), now: $1) }
    }
}
