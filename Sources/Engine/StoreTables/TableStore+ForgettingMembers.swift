import CampaignModel
import State

extension TableStore {
    /// Erases registrations from all memberships; no full merge is unfinished.
    func forgetMembers(
        _ people: ErasureRequest,
        into report: inout ForgetReport,
        in db: any StateDatabase
    ) throws {
        let ranges = people.fingerprintRanges
        for scope in try db.numbers("SELECT id FROM scopes") {
            let members = try segmentTables(db).erase(ranges, of: scope)
            guard !members.isEmpty else { continue }
            report.members += members.count
            report.found.formUnion(members.map(\.fingerprint.high))
            try db.run("UPDATE scopes SET counted = 0 WHERE id = ?", arguments: [scope])
            upkeep.hasUncountedScopes = true
        }
    }
}

extension ErasureRequest {
    /// The fingerprints as sorted and disjoint ranges.
    fileprivate var fingerprintRanges: [FingerprintRange] {
        let halves = short.map { high in
            FingerprintRange(
                first: Fingerprint(high: high, low: .min),
                last: Fingerprint(high: high, low: .max)
            )
        }
        let whole = fingerprints.filter { !short.contains($0.high) }.map {
            FingerprintRange(first: $0, last: $0)
        }
        return (halves + whole).sorted { $0.first < $1.first }
    }
}
