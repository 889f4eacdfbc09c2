import CampaignModel

extension CrossCampaignAnalysis {
    /// Whether recipients of both notifications receive them at once.
    ///
    /// The sends must use two audiences, one of which is a list.
    func reachTwiceAtOnce(_ first: Send, _ second: Send) -> Bool {
        guard abs(second.moment - first.moment) <= 600, first.campaign != second.campaign,
            campaigns[first.campaign].showsSomething, campaigns[second.campaign].showsSomething
        else { return false }
        let (one, other) = (
            campaigns[first.campaign].facts.list, campaigns[second.campaign].facts.list
        )
        return one != other
    }
}

/// Two sends to the same people, and the number of these people.
struct AudienceOverlap {
    let first: Send
    let second: Send
    /// Whether an identity column identifies people; otherwise each registration counts as one.
    let areNamed: Bool
    var count: Int
}

/// Each pair of campaigns once, in order of discovery.
struct AudienceOverlaps {
    private struct Pair: Hashable {
        let first: Int
        let second: Int
    }

    private(set) var found: [AudienceOverlap] = []
    private let areNamed: Bool
    private var places: [Pair: Int] = [:]
    /// The last people found for each pair, so that the same people count once.
    private var lastPeople: [Pair: Fingerprint] = [:]

    init(areNamed: Bool) {
        self.areNamed = areNamed
    }

    /// Returns the overlaps in `meetings` between campaigns that have no overlap in this value.
    func others(in meetings: AudienceOverlaps) -> [AudienceOverlap] {
        meetings.found.filter { meeting in
            let pair = Pair(first: meeting.first.campaign, second: meeting.second.campaign)
            return places[pair] == nil
        }
    }

    mutating func add(_ first: Send, _ second: Send, person: Fingerprint, count: Int) {
        let pair = Pair(first: first.campaign, second: second.campaign)
        defer { lastPeople[pair] = person }
        guard let place = places[pair] else {
            places[pair] = found.count
            found.append(
                AudienceOverlap(first: first, second: second, areNamed: areNamed, count: count)
            )
            return
        }
        if lastPeople[pair] != person { found[place].count += count }
    }
}
