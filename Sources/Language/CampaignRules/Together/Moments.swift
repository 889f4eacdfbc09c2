import CampaignModel
import Scheduling
import Time

/// The due times of campaigns in seconds since 1970, as far ahead as rules check.
///
/// A campaign without a schedule is due now; a campaign with a single time is due then, unless that
/// has passed. A repeating campaign is checked for 28 days, the longest lifetime of a message
/// (Firebase documentation, About FCM messages, Setting the lifespan of a message). At most 10,000
/// times per campaign are used; if many campaigns repeat, fewer, so that the total is at most
/// 400,000.
struct Moments {
    private static let days: Int64 = 28
    private static let maximum = 10_000
    private static let maximumTogether = 400_000

    private let now: Instant
    private let end: Instant
    private let share: Int
    private let zones: TimeZoneDatabase
    private var rules: [String: TimeZoneRules] = [:]
    /// A cache, because many campaigns have the same schedule.
    private var known: [RepeatingSchedule: [Int64]] = [:]

    init(of facts: [CampaignFacts], at now: Instant, zones: TimeZoneDatabase) {
        self.now = now
        self.zones = zones
        end = now.advanced(bySeconds: Self.days * 86_400)
        let repeating = facts.count { facts in
            if case .repeating = facts.schedule { true } else { false }
        }
        share = min(Self.maximum, max(1, Self.maximumTogether / max(1, repeating)))
    }

    mutating func moments(of schedule: Schedule) -> [Int64] {
        switch schedule {
        case .immediate: return [now.secondsSince1970]
        case .at(let moment):
            return moment.instant < now ? [] : [moment.instant.secondsSince1970]
        case .repeating(let schedule):
            if let moments = known[schedule] { return moments }
            let moments = moments(of: schedule)
            known[schedule] = moments
            return moments
        }
    }

    private mutating func moments(of schedule: RepeatingSchedule) -> [Int64] {
        guard let rules = zone(schedule.zone) else { return [] }
        let from = schedule.from.map { rules.resolve($0).instant } ?? now
        let end = self.end
        return Occurrences(schedule.pattern, in: rules)
            .moments(after: max(now, from).advanced(bySeconds: -1))
            .lazy
            .filter { slot in schedule.from.map { slot.slot >= $0 } ?? true }
            .prefix { slot in
                slot.moment < end && schedule.until.map { slot.slot <= $0 } ?? true
            }
            .prefix(share)
            .map(\.moment.secondsSince1970)
    }

    private mutating func zone(_ name: String) -> TimeZoneRules? {
        if rules[name] == nil { rules[name] = try? zones.rules(named: name) }
        return rules[name]
    }
}
