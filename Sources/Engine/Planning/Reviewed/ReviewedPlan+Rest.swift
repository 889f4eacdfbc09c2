import CampaignModel
package import JSON
import State

/// The rest of a reviewed plan that was applied in part.
extension ReviewedPlan {
    /// Whether this plan contains only parts of the whole plan, or rests of them.
    ///
    /// For memberships and edited lists, only counts and hashes are known. Lower counts than the
    /// reviewed ones are a rest if the files want the same and no other run changed anything since
    /// then.
    func isRest(
        of whole: ReviewedPlan,
        wanted: [MembershipScope: WantedMembership]
    ) -> Bool {
        head == whole.head && guards.allSatisfy(whole.guards.contains)
            && (approvals == nil || approvals == whole.approvals)
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
    ///
    /// Interrupted sends remain if the definition is already recorded.
    fileprivate func isRestOfCampaign(_ whole: JSONValue) -> Bool {
        guard self["renamed_from"] == nil, var part = objectValue, var reviewed = whole.objectValue
        else { return self == whole }
        reviewed["renamed_from"] = nil
        reviewed["resumed"] = nil
        part["resumed"] = nil
        guard isOnlyResumed || part == reviewed else { return false }
        let known = whole["resumed"]?.arrayValue ?? []
        return (self["resumed"]?.arrayValue ?? []).allSatisfy { send in
            known.contains(where: send.isRestOfResumed)
        }
    }

    /// Whether this part of a campaign records nothing: it contains only interrupted sends.
    package var isOnlyResumed: Bool { self["definition"] == nil && self["gone"] == nil }

    /// Compares an interrupted send whose list was edited.
    private func isRestOfResumed(_ whole: JSONValue) -> Bool {
        let same = ["occurrence", "stored", "current", "added"].allSatisfy { self[$0] == whole[$0] }
        let remaining = (self["remaining"]?.integerValue, whole["remaining"]?.integerValue)
        guard same, case (let rest?, let reviewed?) = remaining else { return false }
        return rest <= reviewed && count("removed") <= whole.count("removed")
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

    /// Whether this part of a membership changes no member.
    var changesNoMember: Bool {
        ["joins", "leaves", "forgotten", "noted"].allSatisfy { count($0) == 0 }
    }

    fileprivate func count(_ key: String) -> Int64 { self[key]?["count"]?.integerValue ?? 0 }
}
