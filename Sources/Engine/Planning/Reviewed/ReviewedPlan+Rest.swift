import CampaignModel
import JSON
import State

/// The rest of a reviewed plan that was applied in part.
extension ReviewedPlan {
    /// Whether this plan contains only parts of the whole plan, or rests of them.
    ///
    /// For memberships, only counts and hashes are known. Lower counts than the reviewed ones are a
    /// rest if the files want the same and no other run changed anything since then.
    func isRest(
        of whole: ReviewedPlan,
        wanted: [MembershipScope: WantedMembership]
    ) -> Bool {
        head == whole.head && guards.allSatisfy(whole.guards.contains)
            && campaigns.allSatisfy { id, part in
                whole.campaigns[id].map { part.isRestOfCampaign($0) } ?? false
            }
            && memberships.allSatisfy { scope, part in
                whole.memberships[scope].map { part.isRestOfMembership($0) } ?? false
            }
            && whole.memberships.allSatisfy { scope, part in part.isWanted(by: wanted[scope]) }
    }

    /// Whether the plan contains joins.
    var hasJoins: Bool {
        memberships.values.contains { $0.count("joins") + $0.count("noted") > 0 }
    }
}

extension JSONValue {
    /// Compares a campaign; a rename comes first and is never part of a rest.
    fileprivate func isRestOfCampaign(_ whole: JSONValue) -> Bool {
        guard self["renamed_from"] == nil, var renamed = whole.objectValue else {
            return self == whole
        }
        renamed["renamed_from"] = nil
        return self == .object(renamed)
    }

    /// Compares a membership.
    ///
    /// Members that are already in a topic are noted instead of joined. Members that leave together
    /// with another audience are forgotten instead of unsubscribed. The reverse never counts,
    /// because it would be an unreviewed request.
    fileprivate func isRestOfMembership(_ whole: JSONValue) -> Bool {
        let same = ["list", "rejoin", "wanted"].allSatisfy { self[$0] == whole[$0] }
        let spared = [("joins", "noted"), ("leaves", "forgotten")].allSatisfy { asked, silent in
            let open = whole.count(asked) - count(asked)
            return open >= 0 && count(silent) <= whole.count(silent) + open
        }
        return same && spared
    }

    /// Also called if nothing remains: the files must still want the reviewed members.
    fileprivate func isWanted(by wanted: WantedMembership?) -> Bool {
        guard self["wanted"] == .bool(true) else { return wanted == nil }
        return wanted.map { $0.list == self["list"] && .bool($0.rejoins) == self["rejoin"] }
            ?? false
    }

    fileprivate func count(_ key: String) -> Int64 { self[key]?["count"]?.integerValue ?? 0 }
}
