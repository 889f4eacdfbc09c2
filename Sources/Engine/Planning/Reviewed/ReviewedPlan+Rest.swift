import CampaignModel
import State
import JSON

/// What is left of a reviewed plan that was carried out in part.
extension ReviewedPlan {
    /// Whether every part of this plan is one of a whole, or what is left of it.
    ///
    /// Of memberships only numbers and hashes are known: fewer than were reviewed are what is left
    /// as long as the files want the same and nobody else changed anything meanwhile.
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

    /// Whether somebody would join a topic.
    var hasJoins: Bool {
        memberships.values.contains { $0.count("joins") + $0.count("noted") > 0 }
    }
}

extension JSONValue {
    /// A name is changed before anything else is done, and then no part of the rest.
    fileprivate func isRestOfCampaign(_ whole: JSONValue) -> Bool {
        guard self["renamed_from"] == nil, var renamed = whole.objectValue else {
            return self == whole
        }
        renamed["renamed_from"] = nil
        return self == .object(renamed)
    }

    /// Who is found to be in a topic already is noted instead of joined, and who is let go together
    /// with another audience is forgotten instead of unsubscribed; never the other way round, which
    /// would be a request that nobody reviewed.
    fileprivate func isRestOfMembership(_ whole: JSONValue) -> Bool {
        let same = ["list", "rejoin", "wanted"].allSatisfy { self[$0] == whole[$0] }
        let spared = [("joins", "noted"), ("leaves", "forgotten")].allSatisfy { asked, silent in
            let open = whole.count(asked) - count(asked)
            return open >= 0 && count(silent) <= whole.count(silent) + open
        }
        return same && spared
    }

    /// Also where nothing is left of it: then the files must still want what was reviewed.
    fileprivate func isWanted(by wanted: WantedMembership?) -> Bool {
        guard self["wanted"] == .bool(true) else { return wanted == nil }
        return wanted.map { $0.list == self["list"] && .bool($0.rejoins) == self["rejoin"] }
            ?? false
    }

    fileprivate func count(_ key: String) -> Int64 { self[key]?["count"]?.integerValue ?? 0 }
}
