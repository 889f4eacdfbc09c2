package import Time

/// The quiet hours that hold a send.
package struct QuietHold: Hashable, Sendable {
    package let deferral: QuietDeferral
    /// How long FCM needs for a fan-out after it has accepted it, in seconds; 0 for a send that can
    /// be held while it runs.
    private let length: Int64

    package init(_ deferral: QuietDeferral, length: Int64 = 0) {
        self.deferral = deferral
        self.length = length
    }

    /// Whether a send in progress stops now: one second before quiet hours begin, so that no
    /// request and no retry leaves in them.
    package func interrupts(at now: Instant) -> Bool {
        end(at: now) != nil || deferral.isQuiet(now.advanced(bySeconds: 1))
    }

    /// Returns when the rest of a send that was due at `due` may be sent; nil if it need not wait.
    package func endOfRest(due: Instant, at now: Instant) -> Instant? {
        // An interruption moves the due time to the end of the hold.
        due > now ? due : deferral.endOfRest(due: due, at: now) ?? end(at: now)
    }

    /// Returns when a send may begin that would begin at `now`; nil if it need not wait.
    ///
    /// A fan-out that would last into quiet hours waits, because an accepted send cannot be held.
    /// If it would also last into the next ones, waiting would not help.
    package func end(at now: Instant) -> Instant? {
        if deferral.isQuiet(now) { return deferral.due(now, at: now) }
        guard length > 0 else { return nil }
        let beginning = deferral.nextBeginning(after: now)
        guard now.advanced(bySeconds: length) > beginning else { return nil }
        let end = deferral.due(beginning, at: beginning)
        let next = deferral.nextBeginning(after: end)
        return end.advanced(bySeconds: length) > next ? nil : end
    }
}
