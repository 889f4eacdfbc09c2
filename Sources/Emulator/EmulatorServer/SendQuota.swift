import DeliveryModel

/// What a project may send in a minute: the quota is whole again when the minute is over, which
/// began with the first message in it (Firebase documentation, Throttling and quotas: minutes are
/// not aligned to the clock; Sending FCM messages at scale: full again at the end of the window).
struct SendQuota: Hashable, Sendable {
    private var end = DeliveryMoment(milliseconds: 0)
    private var used = 0

    private static let minute: Int64 = 60_000

    /// Seconds until there is room again, rounded up; nil where there is.
    func wait(limit: Int, at now: DeliveryMoment) -> Int? {
        let left = end.milliseconds - now.milliseconds
        return left > 0 && used >= limit ? Int((left + 999) / 1_000) : nil
    }

    mutating func count(at now: DeliveryMoment) {
        if now >= end {
            end = DeliveryMoment(milliseconds: now.milliseconds + Self.minute)
            used = 0
        }
        used += 1
    }
}

extension EmulatorState {
    /// The answer to a send beyond the project's quota; nil where it is no send or there is room.
    ///
    /// It comes before FCM looks at the message, but after it is known who asks.
    func refusal(for decision: Decision, _ match: RouteMatch) -> Decision? {
        guard case .served(.send(let project)) = match, decision.answer.status != 401,
            let limit = model.limits.sendsPerMinute,
            let wait = sendQuota.wait(limit: limit, at: latest)
        else { return nil }
        let error = GoogleError.projectQuotaExceeded(
            project: project,
            limit: limit,
            retryAfter: wait
        )
        return Decision(answer: error.answer)
    }

    /// Counts a message, whatever was answered: refusals count too, but not those for quota
    /// (Firebase documentation, Throttling and quotas).
    mutating func countSend(_ match: RouteMatch, answered status: Int) {
        guard case .served(.send) = match, model.limits.sendsPerMinute != nil,
            status != 401, status != 429
        else { return }
        sendQuota.count(at: latest)
    }
}
