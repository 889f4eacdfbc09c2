import CampaignModel
import RegistrationLists

/// A list, and the campaigns and topics that reach all of its members.
struct ListMembers {
    let survey: ListSurvey
    /// The campaigns that are sent to the list itself.
    var campaigns: [Int] = []
    /// The topics that it is kept subscribed to.
    var topics: Set<Topic> = []

    /// The distinct people in it, by the identity column or else by registration.
    var people: ListFingerprints {
        guard let identities = survey.identities else { return survey.fingerprints }
        var seen: Set<Fingerprint> = []
        return ListFingerprints(identities.filter { seen.insert($0).inserted })
    }
}

/// The members of lists, grouped by the lists that contain them; members of most lists first.
struct ListIntersections {
    /// The maximum number of groups.
    ///
    /// Members of more lists receive at least as much as members of some of these lists, so the
    /// omitted groups rarely matter.
    private static let maximum = 500

    /// The groups are disjoint.
    let crowds: [AudienceIntersection]
    /// Whether there are more groups than the maximum.
    let isCut: Bool

    init(_ lists: [ListFingerprints]) {
        guard lists.count > 1 else {
            crowds = lists.indices.compactMap {
                AudienceIntersection(in: $0, first: lists[$0].first(), count: lists[$0].count)
            }
            isCut = false
            return
        }
        let lists = lists.map { $0.inOrder() }
        let all = AudienceIntersectionTable(lists).crowds(inAtLeast: 1)
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

    /// Returns one member of each list whose members are all in other lists, too.
    private static func others(
        _ lists: [[Fingerprint]],
        than alone: [AudienceIntersection]
    ) -> [AudienceIntersection] {
        let known = Set(alone.flatMap(\.audiences))
        return lists.indices.filter { !known.contains($0) }
            .compactMap { AudienceIntersection(in: $0, first: lists[$0].first, count: 1) }
    }
}

extension AudienceIntersection {
    fileprivate init?(in audience: Int, first: Fingerprint?, count: Int) {
        guard let first else { return nil }
        self.init(audiences: [audience], first: first, count: count)
    }
}
