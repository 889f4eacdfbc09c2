import CampaignMessages
import CampaignModel
import FCMWire
import JSON
import RegistrationLists
package import State
import Time

extension Campaign {
    /// Returns everything that decides what the campaign sends, to which recipients, and when.
    ///
    /// Owner and description are not included, because they change nothing that a device receives.
    /// - Parameters:
    ///   - template: The message.
    ///   - list: The content of the campaign's list; nil if there is none that can be read.
    ///   - zones: The zones of its recipients; nil if they share its occurrences.
    /// - Returns: The content of the definition.
    func definitionContent(
        _ template: MessageTemplate,
        list: JSONValue?,
        zones: JSONValue? = nil
    ) -> JSONValue {
        var content: JSONObject = [
            "audience": audienceContent,
            "message": .object(template.preview.message),
            "schedule": scheduleContent,
        ]
        for (name, messages) in template.others.storedGroups {
            let members = messages.map {
                JSONObject.Member(
                    key: $0.key.stored,
                    value: .object($0.template.preview.message)
                )
            }
            content[name] = .object(JSONObject(members))
        }
        content["encrypted"] = encryptedContent(template)
        if let experimentContent { content["experiment"] = experimentContent }
        if !excluded.isEmpty {
            content["exclude"] = .string(excluded.map(\.rawValue).joined(separator: ", "))
        }
        if let latenessContent { content["late"] = latenessContent }
        if timeliness.jitter != 0 { content["jitter"] = .integer(timeliness.jitter) }
        content["during_quiet_hours"] = timeliness.reasonInQuietHours.map { .string("send: \($0)") }
        if priority != 0 { content["priority"] = .integer(Int64(priority)) }
        if revision > 1 { content["revision"] = .integer(Int64(revision)) }
        content["list"] = list
        if division == .perZone { content["timezone"] = .string(SlotDivision.recipientZone) }
        content[division.column == nil ? "zones" : "times"] = zones
        content["policy"] = policyContent
        content["rollout"] = policy.rollout?.content
        content["expires"] = delivery.expires.map { .string("\($0.local) \($0.zone)") }
        content["live_activity"] = liveActivityContent
        return .object(content)
    }

    /// Keys of the content that have no effect after the send is complete.
    ///
    /// The policy also decides how a send that has started continues.
    static let contentUntilSent = [
        "list", "zones", "times", "expires", "live_activity", "priority", "jitter", "rollout",
    ]
    static let contentUntilFinished = contentUntilSent + ["policy", "during_quiet_hours"]

    /// Nil if the author does not set it.
    private var policyContent: JSONValue? {
        var content = JSONObject()
        content["on_unknown"] = policy.onUnknown.map { .string($0.rawValue) }
        if policy.record != .counts { content["record"] = .string(policy.record.rawValue) }
        content["cap"] = policy.reasonAboveCap.map { .string("exempt: \($0)") }
        content["objective"] = policy.objective.map { .string($0.description) }
        content["recall"] = policy.recall?.stored
        var acknowledged = JSONObject()
        acknowledged["change"] = policy.acknowledgement?.change.map { .integer(Int64($0)) }
        acknowledged["dead"] = policy.acknowledgement?.dead.map { .string($0.description) }
        acknowledged["reach"] = policy.acknowledgement?.reach.map { .integer(Int64($0)) }
        if !acknowledged.isEmpty { content["acknowledge"] = .object(acknowledged) }
        return content.isEmpty ? nil : .object(content)
    }

    /// Replaces the texts that are sent encrypted, which are neither stored nor compared as they are.
    ///
    /// Nil if the message is sent in the clear.
    private func encryptedContent(_ template: MessageTemplate) -> JSONValue? {
        guard encryption != nil else { return nil }
        var texts = JSONObject()
        for (number, text) in template.texts.enumerated() {
            texts["\(number)"] = .object(text.sealed?.clear ?? JSONObject())
        }
        return .string(ContentHash.of(.object(texts)))
    }

    /// Replaces the token of a Live Activity, which decides the recipient and is never stored or
    /// shown.
    private var liveActivityContent: JSONValue? {
        let token = content.value(at: ["apns", "live_activity_token"])?.stringValue
        return token.map { .string(String(ContentHash.of($0).prefix(16))) }
    }

    /// Nil if the author does not set it.
    private var latenessContent: JSONValue? {
        let isStandard = timeliness.lateAfter == LatePolicy.standard.lateAfter
        let words =
            (timeliness.late.map { [$0.rawValue] } ?? [])
            + (isStandard ? [] : ["after \(timeliness.lateAfter) s"])
        return words.isEmpty ? nil : .string(words.joined(separator: " "))
    }

    private var audienceContent: JSONValue {
        if let audience { return .object(["audience": .string(audience.rawValue)]) }
        return switch target {
        case .topic(let topic): .object(["topic": .string(topic.name)])
        case .condition(let condition): .object(["condition": .string(condition.onWire)])
        case .registrations(let list):
            .object(["registrations": .string(list.withoutExclusions.path ?? "inline")])
        case .group(let name): .object(["group": .string(name.text)])
        }
    }

    private var scheduleContent: JSONValue {
        switch schedule {
        case .immediate:
            if case .perValue(let column, let zone) = division {
                .string("times of the column \(column) \(zone)")
            } else {
                "at the next apply"
            }
        case .at(let moment):
            .string(
                "\(moment.local) \(moment.zone)"
                    + (timeliness.until.map { ", until \($0.utcText)" } ?? "")
            )
        case .repeating(let rule): .string(rule.content)
        }
    }
}

extension Rollout {
    fileprivate var content: JSONValue {
        var content: JSONObject = [
            "stages": .string(stages.map(\.description).joined(separator: ", ")),
            "pause": .integer(pause),
        ]
        content["canary"] = canary.map { .string($0.rawValue) }
        var stop = JSONObject()
        stop["rejected"] = stopWhen.rejected.map { .string($0.description) }
        stop["unknown"] = stopWhen.unknown.map { .string($0.description) }
        if stopWhen.held { stop["held"] = true }
        if !stop.isEmpty { content["stop_when"] = .object(stop) }
        return .object(content)
    }
}

extension CampaignDefinition {
    /// The size of the recorded list; nil if it has none, or if it is read when its send begins.
    package var listCount: Int? { content["list"]?["count"]?.integerValue.map(Int.init) }
}

extension FieldChange {
    /// Returns the leaves in which two values differ, by path.
    static func changes(
        from before: JSONValue?,
        to after: JSONValue?,
        path: String = ""
    ) -> [FieldChange] {
        guard before != after else { return [] }
        guard case .object(let old)? = before, case .object(let new)? = after else {
            return [FieldChange(path: path, before: before, after: after)]
        }
        let added = new.members.map(\.key).filter { old[$0] == nil }
        return (old.members.map(\.key) + added).sorted().flatMap { key in
            changes(
                from: old[key],
                to: new[key],
                path: path.isEmpty ? key : path + "." + key
            )
        }
    }
}

extension Campaign {
    /// How the recipients are divided; nil if all get the same message.
    fileprivate var experimentContent: JSONValue? {
        guard !variants.isEmpty || policy.holdOut != nil else { return nil }
        var content: JSONObject = ["name": .string((experiment ?? id).rawValue)]
        if let holdOut = policy.holdOut { content["holdout"] = .string(holdOut.description) }
        if !variants.isEmpty {
            let members = variants.map {
                JSONObject.Member(key: $0.id.rawValue, value: .integer(Int64($0.weight)))
            }
            content["weights"] = .object(JSONObject(members))
        }
        return .object(content)
    }
}
