/// The rate of a project's messages to its app servers.
package struct UpstreamRate: Sendable {
    private var log = RateLog([])

    package init() {}

    package func hasRoom(at now: DeliveryMoment) -> Bool {
        log.room(within: UpstreamRules.perProject, from: now) <= now
    }

    package mutating func count(at now: DeliveryMoment) {
        log.add(at: now, now: now, keeping: UpstreamRules.perProject.interval)
    }
}
