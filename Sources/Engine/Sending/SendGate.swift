package import CampaignModel
package import Planning
package import RunControl
package import State
package import Time

/// Delays sends to a topic or condition.
///
/// They wait while a member that must leave is in one of the topics, including one that asked to leave, and
/// until the last joins have settled.
package struct SendGate: Sendable {
    private let openLeaves: [Topic: Int]
    private let settling: SettleDelay
    private let now: Instant
    private let opened = ContinuousClock.now

    /// Must be created after the plan's memberships have changed.
    package init(
        after plan: Plan,
        book: any MembershipBook & UpstreamBook,
        clock: WallClock
    ) async throws(ApplyError) {
        let recorded = try await mapLedgerErrors { () async throws(StateStoreError) in
            try await book.membershipOverview()
        }
        var open: [Topic: Int] = [:]
        for summary in recorded.summaries where summary[.leaving] > 0 {
            open[summary.topic, default: 0] += summary[.leaving]
        }
        let topics = Set(recorded.summaries.map(\.topic))
            .intersection(plan.sends.flatMap(\.target.topics))
        let staying = try await mapLedgerErrors { () async throws(StateStoreError) in
            try await Self.staying(in: topics, of: book)
        }
        open.merge(staying, uniquingKeysWith: +)
        openLeaves = open
        settling = SettleDelay(length: plan.settling.length, lastJoins: recorded.lastJoins)
        now = clock.now()
    }

    /// Returns the number of members of each topic that asked to leave and are still in it.
    private static func staying(
        in topics: Set<Topic>,
        of book: any MembershipBook & UpstreamBook
    ) async throws(StateStoreError) -> [Topic: Int] {
        guard !topics.isEmpty else { return [:] }
        let upstream = try await book.upstreamStanding(of: [])
        var found: [Topic: Int] = [:]
        for topic in topics {
            let excluded = upstream.excluded(from: topic)
            guard !excluded.isEmpty else { continue }
            let standings = try await book.standings(of: excluded, in: topic)
            let staying = excluded.count { standings[$0]?.contains(where: \.mayStay) ?? false }
            if staying > 0 { found[topic] = staying }
        }
        return found
    }

    /// Nil if the send is allowed.
    package func refusal(of send: SendStep) -> WaitingSend? {
        send.target.topics.first { openLeaves[$0] != nil }.map { topic in
            WaitingSend(
                occurrence: send.occurrence,
                topic: topic,
                openLeaves: openLeaves[topic] ?? 0
            )
        }
    }

    /// How long the joins to the topics of a send still have to settle, in real time.
    package func settling(of send: SendStep) -> Duration {
        let length = settling.wait(for: send.target.topics, at: now)
        return max(.zero, ContinuousClock.now.duration(to: opened + .seconds(length)))
    }

    /// Waits in real time, even if the clock is fixed, because FCM needs the time.
    package func settle(
        _ send: SendStep,
        stop: StopSignal,
        report: @Sendable (ApplyEvent) -> Void
    ) async throws(ApplyError) {
        while settling(of: send) > .zero {
            let left = settling(of: send)
            report(.settles(seconds: left.components.seconds + 1))
            try await stop.pause(for: min(left, .seconds(1)))
        }
    }
}

extension MembershipStatus {
    /// Whether Herald joined the member, or is joining it; a member that is leaving is counted anyway.
    fileprivate var mayStay: Bool {
        switch self {
        case .joining, .joined: true
        case .leaving, .refused, .external, .optedOut: false
        }
    }
}

/// A send that an apply did not make.
package struct WaitingSend: Hashable, Sendable {
    package let occurrence: OccurrenceID
    /// The topic that a member must leave first.
    package let topic: Topic
    package let openLeaves: Int

    package init(occurrence: OccurrenceID, topic: Topic, openLeaves: Int) {
        self.occurrence = occurrence
        self.topic = topic
        self.openLeaves = openLeaves
    }
}
