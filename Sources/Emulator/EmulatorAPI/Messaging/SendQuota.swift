import DeliveryModel

/// The project's quota of sends per minute.
///
/// The minute starts with its first message, and the whole quota becomes available again at its end
/// (Firebase documentation, Throttling and quotas: minutes are not aligned to the clock; Sending
/// FCM messages at scale: full again at the end of the window).
struct SendQuota: Hashable, Sendable {
    private var end = DeliveryMoment(milliseconds: 0)
    private var used = 0

    private static let minute: Int64 = 60_000

    /// Returns the number of seconds until there is room, rounded up, or nil if there is room.
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
    /// Returns the answer to a send above the project's quota, or nil for other requests.
    ///
    /// The quota is checked after the credentials but before the message.
    func refusal(for decision: Decision, match: RouteMatch) -> Decision? {
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

    /// Counts a message, regardless of its answer: refusals count, except for those due to quota
    /// (Firebase documentation, Throttling and quotas).
    mutating func countSend(_ match: RouteMatch, answered status: Int) {
        guard case .served(.send) = match, model.limits.sendsPerMinute != nil,
            status != 401, status != 429
        else { return }
        sendQuota.count(at: latest)
    }
}
