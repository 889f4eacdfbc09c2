import CampaignModel
import JSON
import State

/// The difference between two sizes of a source's output, which is within the source's `max_drift`.
///
/// The size of a set may differ by as much as those of all sources in it together.
struct SourceDrift {
    /// How much the number of rows may differ.
    let allowed: Int64

    /// The member of a source's definition that contains the limit.
    static let key = "max_drift"

    /// Nil if the lists are not of the same source or set, or differ by more.
    ///
    /// `reviewed`: the list as a reviewer approved it.
    init?(from reviewed: JSONValue?, to current: JSONValue?) {
        guard let reviewed, let current, reviewed["id"] == nil,
            let before = reviewed["count"]?.integerValue,
            let after = current["count"]?.integerValue,
            let limit = Self.limit(from: reviewed, to: current),
            abs(after - before) <= limit
        else { return nil }
        allowed = limit
    }

    private static func limit(from reviewed: JSONValue, to current: JSONValue) -> Int64? {
        if let set = reviewed["set"] {
            return current["set"].flatMap { limit(fromSet: set, to: $0) }
        }
        guard let source = reviewed["source"], source == current["source"],
            let count = reviewed["count"]?.integerValue,
            let share = source[Self.key]?.stringValue.flatMap(Percentage.init)
        else { return nil }
        return Int64(share.share(of: Int(count)))
    }

    private static func limit(fromSet reviewed: JSONValue, to current: JSONValue) -> Int64? {
        guard reviewed["operation"] == current["operation"],
            reviewed["identity"] == current["identity"]
        else { return nil }
        var sum: Int64 = 0
        for key in ["lists", "except"] {
            let before = reviewed[key]?.arrayValue ?? []
            let after = current[key]?.arrayValue ?? []
            guard before.count == after.count else { return nil }
            for (before, after) in zip(before, after) {
                // A file has no drift.
                if before["id"] != nil, before == after { continue }
                guard before["list"] == after["list"],
                    let drift = SourceDrift(from: before, to: after)
                else { return nil }
                sum += drift.allowed
            }
        }
        return sum
    }
}

extension ReviewedPlan {
    /// This plan with the reviewed sizes of lists, where they differ only by an allowed drift.
    ///
    /// `isRest`: whether fewer changes of memberships than the reviewed ones stay as they are,
    /// because an earlier run performed the others.
    func undrifted(from reviewed: ReviewedPlan, isRest: Bool) -> ReviewedPlan {
        var campaigns = campaigns
        for (id, part) in campaigns {
            guard let whole = reviewed.campaigns[id] else { continue }
            campaigns[id] = part.undriftedCampaign(from: whole)
        }
        var memberships = memberships
        for (scope, part) in memberships {
            guard let whole = reviewed.memberships[scope] else { continue }
            memberships[scope] = part.undriftedMembership(from: whole, isRest: isRest)
        }
        return ReviewedPlan(
            head: head,
            campaigns: campaigns,
            memberships: memberships,
            guards: guards,
            approvals: approvals
        )
    }
}

extension WantedMembership {
    /// The same, with the reviewed list if it differs only by an allowed drift.
    func undrifted(from part: JSONValue?) -> WantedMembership {
        guard SourceDrift(from: part?["list"], to: list) != nil else { return self }
        return WantedMembership(list: part?["list"], rejoins: rejoins)
    }
}

extension CampaignHistory {
    /// Keeps the recorded size of a list if nothing else differs, and it only by an allowed drift.
    func keepingDriftedList() -> CampaignHistory {
        guard SourceDrift(from: recorded?.content["list"], to: content.content["list"]) != nil
        else { return self }
        let kept = keepingRecorded(["list"])
        return kept.isChanged ? self : kept
    }
}

extension JSONValue {
    fileprivate func undriftedCampaign(from reviewed: JSONValue) -> JSONValue {
        let list = reviewed["definition"]?["list"]
        guard var part = objectValue, var definition = part["definition"]?.objectValue,
            SourceDrift(from: list, to: definition["list"]) != nil
        else { return self }
        definition["list"] = list
        part["definition"] = .object(definition)
        return .object(part)
    }

    fileprivate func undriftedMembership(from reviewed: JSONValue, isRest: Bool) -> JSONValue {
        guard var part = objectValue,
            let drift = SourceDrift(from: reviewed["list"], to: part["list"])
        else { return self }
        part["list"] = reviewed["list"]
        for key in ["joins", "leaves", "forgotten", "noted"] {
            let difference = memberCount(key) - reviewed.memberCount(key)
            let isPerformed = isRest && difference < 0
            if !isPerformed, abs(difference) <= drift.allowed { part[key] = reviewed[key] }
        }
        return .object(part)
    }

    private func memberCount(_ key: String) -> Int64 { self[key]?["count"]?.integerValue ?? 0 }
}
