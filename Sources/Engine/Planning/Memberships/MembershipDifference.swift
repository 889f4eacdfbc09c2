import CampaignModel
import State

/// The differences between the recorded and the wanted members of one audience in one topic, or of
/// a part of them.
struct MembershipDifference: Sendable {
    /// The part of a plan on which the differences depend.
    struct Rules: Sendable {
        /// Whether opted-out members are joined again.
        let rejoins: Bool
        /// Whether managed members that are no longer wanted leave the topic.
        let leaves: Bool
        let dead: DeadRegistrations
        /// Sorted: members that other audiences record as external or opted out.
        let kept: [Fingerprint]
        /// Sorted: the wanted members of other audiences in the topic.
        let wantedElsewhere: [[Fingerprint]]
        /// Sorted: registrations that their messages keep out of the topic, in every audience.
        let excluded: [Fingerprint]
        /// The part of `excluded` that opted out, and therefore leaves topics that it joined without Herald, too.
        let optedOut: Set<Fingerprint>
    }

    /// The lists are sorted.
    private(set) var joins: [Fingerprint] = []
    private(set) var leaves: [Fingerprint] = []
    private(set) var forgotten: [Fingerprint] = []
    private(set) var noted: [Fingerprint] = []
    /// Number of dead registrations that would join otherwise.
    private(set) var dead = 0
    /// Number of leaves that messages of the registrations caused.
    private(set) var leftUpstream = 0
    /// Number of leaves that an earlier run began.
    private(set) var openLeaves = 0
    /// Number of wanted members by the raw value of their recorded status.
    private var staying = [Int](repeating: 0, count: MembershipStatus.allCases.count)

    init() {}

    /// `members`, `wanted`: sorted.
    init(from members: [Membership], to wanted: [Fingerprint], rules: Rules) {
        var place = 0
        let isOpen = rules.excluded.isEmpty
        for fingerprint in wanted where isOpen || !rules.excluded.containsSorted(fingerprint) {
            while place < members.count, members[place].fingerprint.precedes(fingerprint) {
                addGone(members[place], rules: rules)
                place += 1
            }
            guard place < members.count, !fingerprint.precedes(members[place].fingerprint) else {
                addMissing(fingerprint, rules: rules)
                continue
            }
            let status = members[place].status
            staying[Int(status.rawValue)] += 1
            if !status.isSettled(rejoins: rules.rejoins) { addMissing(fingerprint, rules: rules) }
            place += 1
        }
        for member in members[place...] { addGone(member, rules: rules) }
    }

    private mutating func addMissing(_ fingerprint: Fingerprint, rules: Rules) {
        if rules.kept.containsSorted(fingerprint) {
            noted.append(fingerprint)
        } else if rules.dead.contains(fingerprint) {
            dead += 1
        } else {
            joins.append(fingerprint)
        }
    }

    private mutating func addGone(_ member: Membership, rules: Rules) {
        if rules.leaves, rules.excluded.containsSorted(member.fingerprint) {
            return addExcluded(member, rules: rules)
        }
        let leaves =
            rules.leaves && member.status.isManaged
            && !rules.wantedElsewhere.contains { $0.containsSorted(member.fingerprint) }
        guard leaves else {
            forgotten.append(member.fingerprint)
            return
        }
        addLeave(of: member)
    }

    /// A member that is not in the topic because of Herald keeps its record, unless it opted out.
    private mutating func addExcluded(_ member: Membership, rules: Rules) {
        let opted = rules.optedOut.contains(member.fingerprint)
        guard member.status.isManaged || opted && member.status == .external else {
            staying[Int(member.status.rawValue)] += 1
            return
        }
        leftUpstream += 1
        addLeave(of: member)
    }

    private mutating func addLeave(of member: Membership) {
        leaves.append(member.fingerprint)
        if member.status == .leaving { openLeaves += 1 }
    }

    /// Adds the differences of the next part.
    mutating func append(_ next: MembershipDifference) {
        joins += next.joins
        leaves += next.leaves
        forgotten += next.forgotten
        noted += next.noted
        dead += next.dead
        openLeaves += next.openLeaves
        leftUpstream += next.leftUpstream
        for status in staying.indices { staying[status] += next.staying[status] }
    }

    /// Returns the number of wanted members with a recorded status.
    func stayingCount(_ status: MembershipStatus) -> Int { staying[Int(status.rawValue)] }
}

extension Fingerprint {
    /// The same as `<`, which is not inlined because it belongs to another module.
    fileprivate func precedes(_ other: Fingerprint) -> Bool {
        high == other.high ? low < other.low : high < other.high
    }
}

extension MembershipStatus {
    /// Whether a wanted member needs no request to FCM.
    fileprivate func isSettled(rejoins: Bool) -> Bool {
        switch self {
        case .joined, .refused, .external: true
        case .optedOut: !rejoins
        case .joining, .leaving: false
        }
    }
}
