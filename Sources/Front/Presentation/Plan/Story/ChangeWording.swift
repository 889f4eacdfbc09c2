import CampaignMessages
import CampaignModel
import JSON
import Planning
import Scheduling
import State
import Time

/// Describes the differences between a campaign's recorded definition and its files.
struct ChangeWording {
    let action: CampaignAction

    var stories: [ChangeDescription] {
        guard !action.step.isUnderWay else { return [] }
        let others = action.changes.filter {
            !isOfMessage($0) && !isOfAudience($0) && !isOfList($0) && !isOfLocales($0)
                && !isOfZones($0)
        }
        let own = messageChanges
        return audienceChange + listChange + zoneChange + own + localeChanges(besides: own)
            + others.flatMap(parts).map { story(of: $0) }
    }

    /// The changes of a policy that was added or removed as a whole, by its keys.
    private func parts(of change: FieldChange) -> [FieldChange] {
        guard change.path == "policy" else { return [change] }
        let (before, after) = (change.before?.objectValue, change.after?.objectValue)
        let keys = Set((before?.members ?? []).map(\.key) + (after?.members ?? []).map(\.key))
        return keys.sorted().map { key in
            FieldChange(path: key, before: before?[key], after: after?[key])
        }
    }

    private func story(of change: FieldChange) -> ChangeDescription {
        ChangeDescription(
            name: name(of: change),
            platforms: [],
            before: change.before?.wording,
            after: change.after?.wording
        )
    }

    /// The priority of a campaign is not that of its message.
    private func name(of change: FieldChange) -> String {
        if change.path == "priority" { return "order of due sends" }
        return change.path.hasPrefix("message.") ? String(change.path.dropFirst(8)) : change.path
    }
}

// MARK: - Audience

extension ChangeWording {
    private static let audienceKeys = ["topic", "condition", "group", "audience", "registrations"]

    private func isOfAudience(_ change: FieldChange) -> Bool {
        Self.audienceKeys.contains { change.path == "audience." + $0 }
    }

    /// A single change, even if one key replaced another.
    private var audienceChange: [ChangeDescription] {
        let changes = action.changes.filter(isOfAudience)
        guard !changes.isEmpty else { return [] }
        func wording(_ side: (FieldChange) -> JSONValue?) -> String? {
            changes.compactMap { change in
                side(change).map { value in
                    "\(change.path.dropFirst("audience.".count)) \(value.wording)"
                }
            }.first
        }
        return [
            ChangeDescription(
                name: "audience",
                platforms: [],
                before: wording(\.before),
                after: wording(\.after)
            )
        ]
    }
}

extension ChangeWording {
    /// Whether the audience, the list or what is left out of it changed.
    var hasOtherRecipients: Bool {
        action.changes.contains { change in
            isOfAudience(change) || isOfList(change) || change.path == "exclude"
        }
    }

    /// The audience of the last apply, as in a headline; nil if it is the same or unknown.
    var formerAudience: String? {
        guard !action.step.isUnderWay else { return nil }
        return action.changes.filter(isOfAudience).lazy.compactMap { change in
            change.before.map {
                Self.audience(String(change.path.dropFirst("audience.".count)), $0.wording)
            }
        }.first
    }

    private static func audience(_ key: String, _ value: String) -> String {
        switch key {
        case "condition":
            (try? Condition(parsing: value)).map { ConditionWording($0).text }
                ?? "condition \(value)"
        case "group": "device group \(value)"
        case "registrations" where value == "inline": "the registrations listed in the campaign"
        case "audience", "registrations": "the registrations of \(value)"
        default: "\(key) \(value)"
        }
    }
}

// MARK: - List

extension ChangeWording {
    private func isOfList(_ change: FieldChange) -> Bool {
        change.path == "list" || change.path.hasPrefix("list.")
    }

    /// Describes a list's contents by count, because the hash means nothing to a reader.
    private var listChange: [ChangeDescription] {
        guard action.changes.contains(where: isOfList) else { return [] }
        func wording(_ count: Int?, isReadAtSend: Bool) -> String? {
            isReadAtSend
                ? AudienceWording.atSend : count.map { $0.counting("registration") }
        }
        let now: Int? =
            if case .list(_, let count, _)? = action.audience { count } else { nil }
        let isReadAtSend = if case .listAtSend? = action.audience { true } else { false }
        let wasReadAtSend = action.recorded?["list"]?["read"] != nil
        let before = action.recorded?["list"]?["count"]?.integerValue.map(Int.init)
        let isSame = before != nil && before == now
        let isOfSource = action.changes.contains { $0.path.hasPrefix("list.source") }
        let isRedefined = isOfSource || isReadAtSend && wasReadAtSend
        let difference =
            isOfSource
            ? ", from a changed source"
            : isRedefined
                ? ", from a changed list"
                : ", but other registrations, or other values in their columns"
        return [
            ChangeDescription(
                name: "list",
                platforms: [],
                before: wording(before, isReadAtSend: wasReadAtSend),
                after: wording(now, isReadAtSend: isReadAtSend).map {
                    $0 + (isSame || isRedefined ? difference : "")
                }
            )
        ]
    }
}

// MARK: - Time zones

extension ChangeWording {
    private func isOfZones(_ change: FieldChange) -> Bool {
        ["zones", "times"].contains { change.path == $0 || change.path.hasPrefix($0 + ".") }
    }

    /// Describes the zones or times of the recipients by count, because the hash means nothing to a
    /// reader.
    private var zoneChange: [ChangeDescription] {
        guard action.changes.contains(where: isOfZones) else { return [] }
        func count(_ content: JSONValue?) -> String? {
            let zones = content?["zones"]?["count"]?.integerValue
                .map { Int($0).counting("time zone") }
            let times = content?["times"]?["count"]?.integerValue
                .map { Int($0).counting("different time") }
            return zones ?? times
        }
        let (before, after) = (count(action.recorded), count(action.definition?.content))
        let difference = before == after ? ", but other rows in them" : ""
        return [
            ChangeDescription(
                name: "times of recipients",
                platforms: [],
                before: before,
                after: after.map { $0 + difference }
            )
        ]
    }
}

// MARK: - Message per platform

extension ChangeWording {
    private func isOfMessage(_ change: FieldChange) -> Bool {
        change.path == "message" || change.path.hasPrefix("message.")
    }

    private var messageChanges: [ChangeDescription] {
        let changes = action.changes.filter(isOfMessage)
        guard !changes.isEmpty else { return [] }
        guard let before = action.recorded?["message"]?.objectValue,
            let after = (action.definition?.content["message"]).flatMap(\.objectValue)
        else { return changes.map { story(of: $0) } }
        return effectiveChanges(from: before, to: after)
    }

    /// Merges equal changes of several platforms.
    private func effectiveChanges(
        from before: JSONObject,
        to after: JSONObject
    ) -> [ChangeDescription] {
        var found: [EffectiveChange] = []
        for platform in Platform.allCases {
            let old = EffectiveMessage(of: before, on: platform)
            let new = EffectiveMessage(of: after, on: platform)
            for var change in EffectiveChange.changes(from: old, to: new) {
                if let place = found.firstIndex(where: change.isSame) {
                    found[place].platforms.append(platform)
                } else {
                    change.platforms = [platform]
                    found.append(change)
                }
            }
        }
        return found.map(\.story)
    }
}

// MARK: - Locales

extension ChangeWording {
    private func isOfLocales(_ change: FieldChange) -> Bool {
        change.path == "locales" || change.path.hasPrefix("locales.")
    }

    /// Describes the changes of each text, without those of the campaign's own text.
    private func localeChanges(besides own: [ChangeDescription]) -> [ChangeDescription] {
        guard action.changes.contains(where: isOfLocales) else { return [] }
        let before = action.recorded?["locales"]?.objectValue ?? JSONObject()
        let after = action.definition?.content["locales"]?.objectValue ?? JSONObject()
        let removed = before.members.filter { after[$0.key] == nil }
        return (after.members + removed).flatMap { text -> [ChangeDescription] in
            let name = "locales.\(text.key)"
            guard let old = before[text.key]?.objectValue, let new = after[text.key]?.objectValue
            else {
                let change = ChangeDescription(
                    name: name,
                    platforms: [],
                    before: before[text.key]?.shownText,
                    after: after[text.key]?.shownText
                )
                return [change]
            }
            return effectiveChanges(from: old, to: new).filter { !own.contains($0) }
                .map { $0.named("\(name).\($0.name)") }
        }
    }
}

extension JSONValue {
    /// The text by which a person recognizes a message.
    fileprivate var shownText: String {
        let notification = self["notification"]
        let text = notification?["title"]?.stringValue ?? notification?["body"]?.stringValue
        return text ?? compactText
    }
}

/// A changed value of one platform.
private struct EffectiveChange {
    let name: String
    let before: String?
    let after: String?
    var platforms: [Platform] = []

    func isSame(_ other: EffectiveChange) -> Bool {
        name == other.name && before == other.before && after == other.after
    }

    static func changes(
        from old: EffectiveMessage,
        to new: EffectiveMessage
    ) -> [EffectiveChange] {
        let kinds = EffectiveChange(
            name: "kind",
            before: old.kind.rawValue,
            after: new.kind.rawValue
        )
        let before = Dictionary(old.fields.map { ($0.path, $0.value) }) { $1 }
        let after = Dictionary(new.fields.map { ($0.path, $0.value) }) { $1 }
        let gone = old.fields.filter { after[$0.path] == nil }
        return (old.kind == new.kind ? [] : [kinds])
            + (new.fields + gone).filter { before[$0.path] != after[$0.path] }.map { field in
                let name = FieldName(field.path, on: new.platform)
                return EffectiveChange(
                    name: name.text,
                    before: before[field.path].map(name.wording),
                    after: after[field.path].map(name.wording)
                )
            }
    }

    var story: ChangeDescription {
        ChangeDescription(name: name, platforms: platforms, before: before, after: after)
    }
}

extension ChangeDescription {
    fileprivate func named(_ name: String) -> ChangeDescription {
        ChangeDescription(name: name, platforms: platforms, before: before, after: after)
    }

    fileprivate init(name: String, platforms: [Platform], before: String?, after: String?) {
        self.name = name
        self.platforms = platforms
        self.before = before
        self.after = after
        let isWhole =
            name == FieldName.life
            || name == "schedule" && ScheduleKind(before) != ScheduleKind(after)
        segments =
            (isWhole
            ? WordDiff(replacing: before, with: after) : WordDiff(before: before, after: after))
            .segments
    }
}

/// The kind of a recorded schedule.
///
/// Texts of different kinds are not comparable.
private enum ScheduleKind {
    case moment
    case cron
    case recurrence
    case other

    init(_ content: String?) {
        let text = content ?? ""
        let fields = text.split(separator: " ").prefix(5).joined(separator: " ")
        if CivilDateTime(parsing: String(text.prefix(16))) != nil {
            self = .moment
        } else if text.contains("FREQ=") {
            self = .recurrence
        } else {
            self = (try? CronSchedule(parsing: fields)) != nil ? .cron : .other
        }
    }
}
