import CampaignModel
import JSON
package import Planning
package import State
import Time

/// Renders the comparison with a reviewed plan as text.
package struct ReviewWording: Sendable {
    private let hint: CommandHint

    package init(hint: CommandHint) {
        self.hint = hint
    }

    /// `hasMore`: whether there are changes that the reviewed plan does not contain.
    package func alreadyApplied(_ run: RunRecord, hasMore: Bool) -> String {
        let command = hint.selecting("plan")
        let more = hasMore ? " There are new changes; see `\(command)`." : ""
        return "Already applied: \(wording(run)). Nothing is repeated.\(more)\n"
    }

    package func goesOn(_ digest: PlanDigest) -> String {
        "Resuming the reviewed plan \(digest).\n"
    }

    package func rolledBack(_ digest: PlanDigest, state: StateSerial) -> ErrorText {
        let serial = digest.serial.map { " \($0)" } ?? ""
        return ErrorText(
            "the plan was made from serial\(serial) of the state, but the state has serial "
                + "\(state): it is an older copy or a different state",
            help: "restore the newest state; an older state would send messages again"
        )
    }

    package func stale(_ plan: StalePlan) -> ErrorText {
        var lines = [head(of: plan)]
        lines += (plan.differences ?? []).flatMap(self.lines)
        lines += plan.runs.map { "  ! another plan was applied since then: \(wording($0))" }
        return ErrorText(lines.joined(separator: "\n"), help: help(for: plan))
    }

    private func head(of plan: StalePlan) -> String {
        guard let differences = plan.differences else {
            return "nothing was done: the current plan is \(plan.now), and the reviewed plan "
                + "\(plan.digest) is not recorded here"
        }
        if differences.contains(where: \.isHead) {
            return "nothing was done: the reviewed plan is for another project, environment or "
                + "state"
        }
        return "nothing was done: the current plan differs from the reviewed plan"
    }

    private func help(for plan: StalePlan) -> String {
        guard let differences = plan.differences else {
            return "check the environment and the state; to see the differences, give --expect "
                + "the file of `\(hint.selecting("plan --out FILE"))` instead of the digest"
        }
        return differences.contains(where: \.isHead)
            ? "choose the environment with -e and the project directory with -C"
            : "run `\(hint.selecting("plan"))`, have the new plan reviewed, and apply its digest"
    }

    private func wording(_ run: RunRecord) -> String {
        let who = TextStyle.safe("\(run.worker.user) on \(run.worker.host)")
        return "run \(run.id.number), \(run.worker.since.utcText), by \(who)"
    }
}

// MARK: - Differences

extension ReviewWording {
    private func lines(_ difference: PlanDifference) -> [String] {
        switch difference {
        case .head(let field, let before, let after):
            ["  ~ \(field.word): \(TextStyle.safe(before)), here \(TextStyle.safe(after))"]
        case .campaign(let id, let change): campaign(id, change: change)
        case .membership(let scope, let change): membership(scope, change: change)
        case .guards(let before, let after):
            guards(before, without: after).map { "  - \($0) when it was reviewed" }
                + guards(after, without: before).map { "  + \($0) now" }
        case .approvals(let before, let after): approvals(before: before, after: after)
        }
    }

    private func approvals(before: JSONValue?, after: JSONValue?) -> [String] {
        func line(_ mark: String, _ value: JSONValue?, _ time: String) -> String? {
            value.map { "  \(mark) approvals: \(TextStyle.safe($0.compactText)) \(time)" }
        }
        return [line("-", before, "when it was reviewed"), line("+", after, "now")]
            .compactMap(\.self)
    }

    private func guards(_ some: JSONValue, without others: JSONValue) -> [String] {
        let known = others.arrayValue ?? []
        return (some.arrayValue ?? []).filter { !known.contains($0) }.map { part in
            let subject = ["campaign", "audience"].compactMap { key in
                part[key]?.stringValue.map { " of \(key) \(TextStyle.safe($0))" }
            }
            let wording = ["guard", "outcome"].map { TextStyle.safe(part[$0]?.stringValue ?? "") }
            return "guard \(wording[0])\(subject.joined()): \(wording[1])"
        }
    }

    private func campaign(_ id: CampaignID, change: PlanDifference.Change) -> [String] {
        let name = "campaign \(id)"
        switch change {
        case .gone: return ["  - \(name): was reviewed; it has no changes now"]
        case .new(let part): return ["  + \(name): was not reviewed; \(outlook(part))"]
        case .changed(let before, let after):
            let sends = ResumedWording(from: before, to: after).wording
                .map { "  ~ \(name): \($0)" }
            return (sends.map { [$0] } ?? []) + definition(of: name, change: change)
        }
    }

    /// A definition that is no longer recorded was applied; the interrupted sends remain.
    private func definition(of name: String, change: PlanDifference.Change) -> [String] {
        guard case .changed(let before, let after) = change, !after.isOnlyResumed else { return [] }
        if before.isOnlyResumed { return ["  + \(name): was not reviewed; \(outlook(after))"] }
        let list = ListWording(
            from: before["definition"]?["list"],
            to: after["definition"]?["list"]
        ).wording.map { "  ~ list \(source(after))of \(name): \($0)" }
        let fields = change.fields.filter {
            !$0.path.hasPrefix("definition.list") && $0.path != "resumed"
        }
        return (list.map { [$0] } ?? []) + fields.map { "  ~ \(name): \(wording($0))" }
    }

    /// The source of a campaign's list; empty if the campaign itself contains the list.
    private func source(_ part: JSONValue) -> String {
        let audience = part["definition"]?["audience"]
        let name = (audience?["audience"] ?? audience?["registrations"])?.stringValue
        return name.map { $0 == "inline" ? "" : "\(TextStyle.safe($0)) " } ?? ""
    }

    private func outlook(_ part: JSONValue) -> String {
        if part["gone"] == true { return "it was removed from the files" }
        if part.isOnlyResumed { return ResumedWording.wording(of: part) }
        return part["occurrence"] == nil
            ? "its definition changed" : "it is sent or scheduled"
    }

    private func membership(
        _ scope: MembershipScope,
        change: PlanDifference.Change
    ) -> [String] {
        let name = "audience \(scope.audience), topic \(scope.topic)"
        switch change {
        case .gone: return ["  - \(name): was reviewed; it has no changes now"]
        case .new(let part):
            return ["  + \(name): was not reviewed; \(MembershipWording(part).wording)"]
        case .changed(let before, let after):
            let list = ListWording(from: before["list"], to: after["list"]).wording
                .map { "  ~ list of audience \(scope.audience): \($0)" }
            let (old, new) = (MembershipWording(before), MembershipWording(after))
            let who =
                old == new
                ? "\(old.wording), different registrations" : "\(old.wording) → \(new.wording)"
            return (list.map { [$0] } ?? []) + ["  ~ \(name): \(who)"]
        }
    }

    private func wording(_ change: FieldChange) -> String {
        let path =
            change.path.hasPrefix("definition.") ? change.path.dropFirst(11) : change.path[...]
        let values = [change.before, change.after].map { value in
            value.map { TextStyle.safe($0.compactText) } ?? "(absent)"
        }
        return "\(TextStyle.safe(String(path))): \(values[0]) → \(values[1])"
    }
}

/// The size of a list before and after; nil if it is unchanged.
private struct ListWording {
    let wording: String?

    init(from before: JSONValue?, to after: JSONValue?) {
        wording =
            before == after
            ? nil
            : "\(Self.wording(before)) → \(Self.wording(after))"
                + Self.reason(before?["source"], after?["source"])
                + Self.reason(ofSet: before?["set"], after?["set"])
    }

    private static func wording(_ list: JSONValue?) -> String {
        guard let count = list?["count"]?.integerValue else { return "(absent)" }
        let registrations = Int(count).counting("registration")
        guard let id = list?["id"]?.stringValue else { return registrations }
        return "\(registrations), content \(TextStyle.safe(String(id.prefix(12))))"
    }

    /// Why lists of sources differ.
    private static func reason(_ before: JSONValue?, _ after: JSONValue?) -> String {
        guard before != nil || after != nil else { return "" }
        guard before == after else { return " (the source's definition differs)" }
        let limit = after?["max_drift"]?.stringValue ?? ""
        return " (more than the `max_drift` of \(TextStyle.safe(limit)))"
    }

    /// Why sets that contain a source differ.
    private static func reason(ofSet before: JSONValue?, _ after: JSONValue?) -> String {
        guard before != nil || after != nil else { return "" }
        func lists(_ set: JSONValue?) -> [JSONValue] {
            ["lists", "except"].flatMap { set?[$0]?.arrayValue ?? [] }
        }
        func shape(_ set: JSONValue?) -> [JSONValue?] {
            [set?["operation"], set?["identity"]] + lists(set).map { $0["list"] }
        }
        guard shape(before) == shape(after) else { return " (the set's definition differs)" }
        let names = zip(lists(before), lists(after)).filter { $0.0 != $0.1 }
            .map { TextStyle.safe($0.1["list"]?.stringValue ?? "the listed registrations") }
        guard !names.isEmpty else { return " (the lists overlap in other rows)" }
        return " (\(names.joined(by: "and")) \(names.count == 1 ? "differs" : "differ"))"
    }
}

/// The interrupted sends of a campaign whose list was edited; nil if they are unchanged.
private struct ResumedWording {
    let wording: String?

    init(from before: JSONValue, to after: JSONValue) {
        wording =
            before["resumed"] == after["resumed"]
            ? nil : "\(Self.wording(of: before)) → \(Self.wording(of: after))"
    }

    static func wording(of part: JSONValue) -> String {
        let sends = part["resumed"]?.arrayValue ?? []
        return sends.isEmpty
            ? "no interrupted send with an edited list"
            : sends.map(wording(ofSend:)).joined(separator: ", ")
    }

    private static func wording(ofSend send: JSONValue) -> String {
        func count(_ value: JSONValue?) -> Int { Int(value?.integerValue ?? 0) }
        let remaining = count(send["remaining"]).counting("request")
        let name = TextStyle.safe(send["occurrence"]?.stringValue ?? "")
        return "\(name) continues with an edited list (\(remaining) to the stored list, "
            + "\(count(send["removed"]?["count"]).grouped) of them to removed registrations; "
            + "\(count(send["added"]).counting("new registration")))"
    }
}

/// The number of joins and leaves of an audience in a topic.
private struct MembershipWording: Hashable {
    let wording: String

    init(_ part: JSONValue) {
        let parts = [
            ("leaves", "leave"), ("joins", "join"), ("forgotten", "no longer managed"),
            ("noted", "recorded"),
        ]
        let counts = parts.compactMap { key, word -> String? in
            guard let count = part[key]?["count"]?.integerValue, count > 0 else { return nil }
            return "\(Int(count).grouped) \(word)"
        }
        let rejoin = part["rejoin"] == true ? " (including opted-out registrations)" : ""
        wording = (counts.isEmpty ? "none" : counts.joined(separator: ", ")) + rejoin
    }
}

extension PlanDifference.HeadField {
    fileprivate var word: String {
        switch self {
        case .project: "project"
        case .environment: "environment"
        case .lineage: "lineage of the state"
        case .projectID: "Firebase project"
        }
    }
}
