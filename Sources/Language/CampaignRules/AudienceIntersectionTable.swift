import CampaignModel

/// Registrations that are in the same audiences.
struct AudienceIntersection {
    /// Ascending indices in the list of audiences.
    let audiences: [Int]
    let first: Fingerprint
    let count: Int
}

/// Groups registrations by the audiences that contain them, in one pass over the lists.
///
/// Each registration stores one number, that of its group so far.
struct AudienceIntersectionTable {
    private struct Step: Hashable {
        let before: Int?
        let audience: Int
    }

    private let lists: [[Fingerprint]]
    private var steps: [Step] = []
    private var counts: [Int] = []
    private var crowdOf: [Fingerprint: Int] = [:]

    init(_ lists: [[Fingerprint]]) {
        self.lists = lists
        var numbers: [Step: Int] = [:]
        crowdOf.reserveCapacity(lists.map(\.count).max() ?? 0)
        for (place, list) in lists.enumerated() {
            for fingerprint in list {
                let old = crowdOf[fingerprint]
                let step = Step(before: old, audience: place)
                let number = numbers[step] ?? steps.count
                if number == steps.count {
                    numbers[step] = number
                    steps.append(step)
                    counts.append(0)
                }
                if let old { counts[old] -= 1 }
                counts[number] += 1
                crowdOf[fingerprint] = number
            }
        }
    }

    /// Returns the groups that are in at least `minimum` audiences; the groups are disjoint.
    func crowds(inAtLeast minimum: Int) -> [AudienceIntersection] {
        var first: [Int: Fingerprint] = [:]
        for fingerprint in lists.joined() {
            guard let number = crowdOf[fingerprint], first[number] == nil else { continue }
            first[number] = fingerprint
        }
        return steps.indices.compactMap { number in
            let members = audienceNumbers(number)
            guard counts[number] > 0, members.count >= minimum, let fingerprint = first[number]
            else {
                return nil
            }
            return AudienceIntersection(
                audiences: members,
                first: fingerprint,
                count: counts[number]
            )
        }
    }

    private func audienceNumbers(_ number: Int) -> [Int] {
        var members: [Int] = []
        var step: Step? = steps[number]
        while let current = step {
            members.append(current.audience)
            step = current.before.map { steps[$0] }
        }
        return members.reversed()
    }
}
