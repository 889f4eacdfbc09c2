import CampaignModel
import Planning
import RegistrationLists
import State

extension DescriptionBuilder {
    func entry(_ change: MembershipChange) -> PlanEntry {
        PlanEntry(
            name: change.scope.audience.rawValue,
            about: nil,
            headlines: headlines(change),
            who: source(of: change) + staying(change),
            message: nil,
            changes: [],
            rule: nil,
            how: ifApplied(effort.changes([change.leaves.count, change.joins.count])),
            requests: EffortWording.batches(of: change.leaves.count)
                + EffortWording.batches(of: change.joins.count),
            notices: notices.of(change.scope),
            refusedBy: refusing(change.scope),
            action: MembershipCounts([change]).summary,
            receivers: SendReceivers(change.scope)
        )
    }

    private func source(of change: MembershipChange) -> [String] {
        if let composition = change.composition { return SetWording(composition).sentences }
        return change.list?.path.map { ["The list is \($0)."] } ?? []
    }

    /// The members that no headline counts.
    private func staying(_ change: MembershipChange) -> [String] {
        let count = change.staying.counting("registration")
        let verb = change.staying == 1 ? "stays" : "stay"
        return change.staying == 0
            ? [] : ["\(count) of the audience \(verb) subscribed to topic \(change.scope.topic)."]
    }

    /// The guards that refuse a change of this membership, or of the audience.
    private func refusing(_ scope: MembershipScope) -> [String] {
        let subjects: [GuardSubject] = [
            .audience(scope.audience, scope.topic), .audience(scope.audience, nil),
        ]
        return subjects.flatMap { refused[$0] ?? [] }
    }

    private func headlines(_ change: MembershipChange) -> [PlanEntry.Headline] {
        let topic = change.scope.topic
        let lines: [(Int, PlanSymbol, String)] = [
            (
                change.leaves.count, .remove,
                mood.verb("unsubscribes", "unsubscribe")
                    + " \(change.leaves.count.counting("registration")) from topic \(topic)"
            ),
            (
                change.joins.count, .add,
                mood.verb("subscribes", "subscribe")
                    + " \(change.joins.count.counting("registration")) to topic \(topic)"
            ),
            (
                change.forgotten.count, .change,
                mood.verb("no longer manages", "no longer manage")
                    + " \(change.forgotten.count.counting("registration")) in topic \(topic); "
                    + (change.forgotten.count == 1
                        ? "its subscription does" : "their subscriptions do")
                    + " not change (no request)"
            ),
            (
                change.noted.count, .add,
                mood.verb("records", "record")
                    + " \(change.noted.count.counting("registration")) whose "
                    + (change.noted.count == 1 ? "app" : "apps")
                    + " joined or left topic \(topic) without Herald (no request)"
            ),
        ]
        return lines.filter { $0.0 > 0 }.map { _, symbol, wording in
            PlanEntry.Headline(symbol: symbol, wording: wording, moment: nil, former: nil)
        }
    }
}

/// Counts changes of memberships.
struct MembershipCounts {
    /// The number of each kind of change, with its noun; empty if there are none.
    private let parts: [String]
    private let total: Int
    private let place: String

    init(_ memberships: [MembershipChange]) {
        let leaves = memberships.reduce(0) { $0 + $1.leaves.count }
        let joins = memberships.reduce(0) { $0 + $1.joins.count }
        let forgotten = memberships.reduce(0) { $0 + $1.forgotten.count }
        let noted = memberships.reduce(0) { $0 + $1.noted.count }
        let kinds: [(count: Int, singular: String, plural: String)] = [
            (leaves, "leave", "leaves"), (joins, "join", "joins"),
            (forgotten, "membership no longer managed", "memberships no longer managed"),
            (noted, "membership recorded", "memberships recorded"),
        ]
        parts = kinds.filter { $0.count > 0 }.map {
            $0.count.counting($0.singular, plural: $0.plural)
        }
        total = leaves + joins + forgotten + noted
        let topics = Set(memberships.map(\.scope.topic)).count
        let audiences = Set(memberships.map(\.scope.audience)).count
        place =
            " in \(topics.counting("topic"))"
            + (memberships.count > topics ? " for \(audiences.counting("audience"))" : "")
    }

    /// For example, `1,300 joins in 2 topics`, `60 changes in 2 topics`.
    var heading: String {
        (parts.count == 1 ? parts[0] : total.counting("change")) + place
    }

    /// For example, `60 changes of memberships in 2 topics (50 leaves and 10 joins)`; nil if there
    /// are none.
    var summary: String? {
        guard parts.count > 1 else { return parts.isEmpty ? nil : heading }
        return "\(total.counting("change")) of memberships\(place) (\(parts.joined(by: "and")))"
    }
}
