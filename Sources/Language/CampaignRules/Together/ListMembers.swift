import CampaignModel
import RegistrationLists

/// A list and what reaches everybody in it.
struct ListMembers {
    let survey: ListSurvey
    /// Sent to the list itself.
    var campaigns: [Int] = []
    /// To which it is kept subscribed.
    var topics: Set<Topic> = []

    /// The people in it, each once: by the column that names them, else by their registrations.
    var people: [Fingerprint] {
        guard let identities = survey.identities else { return survey.fingerprints }
        var seen: Set<Fingerprint> = []
        return identities.filter { seen.insert($0).inserted }
    }
}

/// The people of lists, apart by the lists that they are in; the most lists first.
struct ListCrowds {
    /// Whoever is in more lists gets no less than who is in some of them, so that what is left
    /// out is seldom missed.
    private static let maximum = 500

    /// No two of them have the same people.
    let crowds: [Crowd]
    /// There are more crowds than are looked at.
    let isCut: Bool

    init(_ lists: [[Fingerprint]]) {
        guard lists.count > 1 else {
            crowds = lists.indices.compactMap { Crowd(in: $0, lists[$0], count: lists[$0].count) }
            isCut = false
            return
        }
        let all = CrowdTable(lists).crowds(inAtLeast: 1)
        let shared = all.filter { $0.audiences.count > 1 }.sorted {
            ($1.audiences.count, $1.count) < ($0.audiences.count, $0.count)
        }
        let alone = all.filter { $0.audiences.count == 1 }
        isCut = shared.count > Self.maximum
        crowds =
            isCut
            ? shared.prefix(Self.maximum) + alone + Self.others(lists, than: alone)
            : shared + alone
    }

    /// Somebody of each list in which nobody is alone.
    private static func others(_ lists: [[Fingerprint]], than alone: [Crowd]) -> [Crowd] {
        let known = Set(alone.flatMap(\.audiences))
        return lists.indices.filter { !known.contains($0) }
            .compactMap { Crowd(in: $0, lists[$0], count: 1) }
    }
}

extension Crowd {
    fileprivate init?(in audience: Int, _ list: [Fingerprint], count: Int) {
        guard let first = list.first else { return nil }
        self.init(audiences: [audience], first: first, count: count)
    }
}
