import CampaignModel

extension Together {
    /// Two notifications that whoever gets both gets at once, through two audiences of which one
    /// is a list.
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

/// Two sends to the same people, and how many those are.
struct Meeting {
    let first: Send
    let second: Send
    /// Known by a column that names people; otherwise each registration counts as one.
    let areNamed: Bool
    var count: Int
}

/// Each pair of campaigns once, in the order in which they were found.
struct Meetings {
    private struct Pair: Hashable {
        let first: Int
        let second: Int
    }

    private(set) var found: [Meeting] = []
    private let areNamed: Bool
    private var places: [Pair: Int] = [:]
    /// Where a pair was last found, so that the same people count once.
    private var lastPeople: [Pair: Fingerprint] = [:]

    init(areNamed: Bool) {
        self.areNamed = areNamed
    }

    /// Those of other meetings whose campaigns do not meet here.
    func others(in meetings: Meetings) -> [Meeting] {
        meetings.found.filter { meeting in
            let pair = Pair(first: meeting.first.campaign, second: meeting.second.campaign)
            return places[pair] == nil
        }
    }

    mutating func add(_ first: Send, _ second: Send, _ person: Fingerprint, _ count: Int) {
        let pair = Pair(first: first.campaign, second: second.campaign)
        defer { lastPeople[pair] = person }
        guard let place = places[pair] else {
            places[pair] = found.count
            found.append(
                Meeting(first: first, second: second, areNamed: areNamed, count: count)
            )
            return
        }
        if lastPeople[pair] != person { found[place].count += count }
    }
}
