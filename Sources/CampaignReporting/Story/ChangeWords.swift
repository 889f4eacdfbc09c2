import CampaignMessages
import CampaignModel
import CampaignPlanning
import FCMWire

/// What differs between a campaign's recorded definition and its files.
struct ChangeWords {
    let action: CampaignAction

    var stories: [ChangeStory] {
        guard !action.step.isUnderWay else { return [] }
        let others = action.changes.filter { !isOfMessage($0) && !isOfAudience($0) }.map {
            story(of: $0)
        }
        return audienceChange + messageChanges + others
    }

    private func story(of change: FieldChange) -> ChangeStory {
        ChangeStory(
            name: change.path,
            platforms: [],
            before: change.before?.words,
            after: change.after?.words
        )
    }
}

// MARK: - Audience

extension ChangeWords {
    private static let audienceKeys = ["topic", "condition", "group", "audience", "registrations"]

    private func isOfAudience(_ change: FieldChange) -> Bool {
        Self.audienceKeys.contains { change.path == "audience." + $0 }
    }

    /// One change, although one key may have taken another's place.
    private var audienceChange: [ChangeStory] {
        let changes = action.changes.filter(isOfAudience)
        guard !changes.isEmpty else { return [] }
        func words(_ side: (FieldChange) -> JSONValue?) -> String? {
            changes.compactMap { change in
                side(change).map { value in
                    "\(change.path.dropFirst("audience.".count)) \(value.words)"
                }
            }.first
        }
        return [
            ChangeStory(
                name: "audience",
                platforms: [],
                before: words(\.before),
                after: words(\.after)
            )
        ]
    }
}

// MARK: - The message, as each platform gets it

extension ChangeWords {
    private func isOfMessage(_ change: FieldChange) -> Bool {
        change.path == "message" || change.path.hasPrefix("message.")
    }

    private var messageChanges: [ChangeStory] {
        let changes = action.changes.filter(isOfMessage)
        guard !changes.isEmpty else { return [] }
        guard let before = action.recorded?["message"]?.objectValue,
            let after = action.template?.withoutKey.preview.message
        else { return changes.map { story(of: $0) } }
        return effectiveChanges(from: before, to: after)
    }

    /// Those of several platforms that are the same are one.
    private func effectiveChanges(from before: JSONObject, to after: JSONObject) -> [ChangeStory] {
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

private struct EffectiveChange {
    let path: [String]
    let before: JSONValue?
    let after: JSONValue?
    var platforms: [Platform] = []

    func isSame(_ other: EffectiveChange) -> Bool {
        path == other.path && before == other.before && after == other.after
    }

    /// What the platform gets otherwise; where it gets nothing any more, or did not, only that.
    static func changes(
        from old: EffectiveMessage,
        to new: EffectiveMessage
    ) -> [EffectiveChange] {
        var changes: [EffectiveChange] = []
        if old.kind != new.kind {
            changes.append(
                EffectiveChange(
                    path: ["kind"],
                    before: .string(old.kind.rawValue),
                    after: .string(new.kind.rawValue)
                )
            )
        }
        let before = Dictionary(old.fields.map { ($0.path, $0.value) }) { $1 }
        let after = Dictionary(new.fields.map { ($0.path, $0.value) }) { $1 }
        let gone = old.fields.filter { after[$0.path] == nil }
        return changes
            + (new.fields + gone).filter { before[$0.path] != after[$0.path] }.map { field in
                EffectiveChange(
                    path: field.path,
                    before: before[field.path],
                    after: after[field.path]
                )
            }
    }

    var story: ChangeStory {
        ChangeStory(
            name: Self.names[path] ?? path.joined(separator: "."),
            platforms: platforms,
            before: before?.words,
            after: after?.words
        )
    }

    private static let names = [
        ["notification", "title"]: "title", ["notification", "body"]: "body",
        ["notification", "image"]: "image",
    ]
}

extension ChangeStory {
    fileprivate init(name: String, platforms: [Platform], before: String?, after: String?) {
        self.name = name
        self.platforms = platforms
        self.before = before
        self.after = after
        segments = WordDiff(before: before, after: after).segments
    }
}
