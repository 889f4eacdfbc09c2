import CampaignMessages
import CampaignModel
import FCMWire
import JSON
import Planning
import State
import Time

extension PlanJSONView {
    func campaign(_ action: CampaignAction) -> JSONValue {
        var object: JSONObject = [
            "campaign": .string(action.campaign.rawValue),
            "action": .string(action.step.name),
        ]
        switch action.step {
        case .send(let send), .resume(let send), .lapse(let send): describe(send, into: &object)
        case .paused(let send, let pause):
            describe(send, into: &object)
            object["paused"] = pause.json
        case .held(let send, let hold):
            describe(send, into: &object)
            object["hold"] = .string(hold.rawValue)
        case .schedule(let id, let moment), .expire(let id, let moment), .skip(let id, let moment),
            .outlive(let id, let moment):
            object["occurrence"] = .string(id.description)
            object["due"] = .string(moment.instant.utcText)
        case .reschedule(let id, let from, let to):
            object["occurrence"] = .string(id.description)
            object["was_due"] = .string(from.utcText)
            object["due"] = .string(to.instant.utcText)
        case .redefine(let moment): object["due"] = .string(moment.instant.utcText)
        case .stopped(let id, let unknown):
            object["occurrence"] = .string(id.description)
            object["unknown"] = .integer(Int64(unknown))
        case .unschedule(let id, let due):
            object["occurrence"] = .string(id.description)
            object["was_due"] = .string(due.utcText)
        case .miss(let missed): describe(missed, into: &object)
        case .lowered(let revision, let sent):
            object["revision"] = .integer(Int64(revision))
            object["sent_revision"] = .integer(Int64(sent))
        case .rename(let name): object["from"] = .string(name.rawValue)
        case .cancel(let id): object["occurrence"] = .string(id.description)
        case .alreadySent, .ended, .retire, .unchanged: break
        }
        object["audience"] = action.audience?.json
        object["message"] = (action.step.template ?? action.template).map {
            .object($0.preview.message)
        }
        if !action.changes.isEmpty, !action.step.isUnderWay {
            object["changes"] = .array(action.changes.map(change))
        }
        return .object(object)
    }

    private func describe(_ send: SendStep, into object: inout JSONObject) {
        object["occurrence"] = .string(send.occurrence.description)
        object["due"] = .string(send.due.utcText)
        object["requests"] = .integer(Int64(send.remaining))
        if let key = send.deduplicationKey {
            object["deduplication_key"] = .string(key.text)
        }
    }

    private func describe(_ missed: MissedSlots, into object: inout JSONObject) {
        object["missed"] = .integer(Int64(missed.count))
        object["more_missed"] = .bool(missed.count == MissedSlots.maximumCount)
        object["first_due"] = .string(missed.first.utcText)
        object["last_due"] = .string(missed.last.utcText)
        object["fails"] = .bool(missed.isFailure)
        object["occurrences"] = .array(
            missed.occurrences.map { .string($0.occurrence.description) }
        )
    }

    private func change(_ change: FieldChange) -> JSONValue {
        .object([
            "path": .string(change.path), "before": change.before ?? .null,
            "after": change.after ?? .null,
        ])
    }

    func notice(_ notice: PlanNotice) -> JSONValue {
        switch notice {
        case .authorWins(let campaign, let field):
            [
                "notice": "author-wins", "campaign": .string(campaign.rawValue),
                "field": .string(field),
            ]
        case .dataPriorityOnApple(let campaign):
            ["notice": "data-priority-on-apple", "campaign": .string(campaign.rawValue)]
        case .leavesOut(let campaign, let platforms):
            [
                "notice": "leaves-out", "campaign": .string(campaign.rawValue),
                "platforms": .array(platforms.map { .string($0.rawValue) }),
            ]
        case .skippedLocalTime(let campaign, let moment, let gap):
            [
                "notice": "skipped-local-time", "campaign": .string(campaign.rawValue),
                "due": .string(moment.instant.utcText), "gap_seconds": .integer(Int64(gap)),
            ]
        case .doubledLocalTime(let campaign, let moment):
            [
                "notice": "doubled-local-time", "campaign": .string(campaign.rawValue),
                "due": .string(moment.instant.utcText),
            ]
        case .unknownFormerName(let campaign, let name):
            [
                "notice": "unknown-former-name", "campaign": .string(campaign.rawValue),
                "moved_from": .string(name.rawValue),
            ]
        case .deadRegistrations(let campaign, let count, let total):
            [
                "notice": "dead-registrations", "campaign": .string(campaign.rawValue),
                "count": .integer(Int64(count)), "of": .integer(Int64(total)),
            ]
        case .deadMembers(let scope, let count): members("dead-members", in: scope, count: count)
        case .refusedMembers(let scope, let count):
            members("refused-members", in: scope, count: count)
        case .externalMembers(let scope, let count):
            members("foreign-members", in: scope, count: count)
        case .optedOutMembers(let scope, let count):
            members("opted-out-members", in: scope, count: count)
        case .openLeaves(let scope, let count): members("open-leaves", in: scope, count: count)
        case .removalIsDone(let audience):
            ["notice": "removal-is-done", "audience": .string(audience.rawValue)]
        case .settles(let occurrence, let seconds):
            [
                "notice": "settles", "occurrence": .string(occurrence.description),
                "seconds": .integer(seconds),
            ]
        case .waitsForFanOut(let occurrence, let seconds):
            [
                "notice": "waits-for-fan-out", "occurrence": .string(occurrence.description),
                "seconds": .integer(seconds),
            ]
        case .fanOutOfUnknownReach(let occurrence):
            [
                "notice": "fan-out-of-unknown-reach",
                "occurrence": .string(occurrence.description),
            ]
        case .unknownOutcomes(let occurrence, let count):
            [
                "notice": "unknown-outcomes", "occurrence": .string(occurrence.description),
                "count": .integer(Int64(count)),
            ]
        }
    }

    private func members(_ notice: JSONValue, in scope: MembershipScope, count: Int) -> JSONValue {
        [
            "notice": notice, "audience": .string(scope.audience.rawValue),
            "topic": .string(scope.topic.name), "count": .integer(Int64(count)),
        ]
    }
}

extension PlannedAudience {
    fileprivate var json: JSONValue {
        switch self {
        case .topic(let topic, let reach):
            .object([
                "topic": .string(topic.name), "reach": reach.map { .integer(Int64($0)) } ?? .null,
            ])
        case .condition(let text): .object(["condition": .string(text)])
        case .group(let name): .object(["group": .string(name.text)])
        case .list(let name, let count):
            .object([
                "list": name.map(JSONValue.string) ?? .null,
                "registrations": count.map { .integer(Int64($0)) } ?? .null,
            ])
        }
    }
}

extension Pause {
    fileprivate var json: JSONValue {
        .object([
            "scope": .string(scope == .everything ? "everything" : "campaign"),
            "since": .string(since.utcText), "user": .string(user), "host": .string(host),
        ])
    }
}

extension CampaignStep {
    /// The message, as recorded if the occurrence has started before.
    fileprivate var template: MessageTemplate? {
        switch self {
        case .send(let send), .resume(let send), .lapse(let send), .paused(let send, _),
            .held(let send, _):
            send.template
        case .rename, .schedule, .reschedule, .expire, .skip, .miss, .unschedule, .outlive,
            .redefine, .alreadySent, .lowered, .ended, .stopped, .cancel, .retire, .unchanged:
            nil
        }
    }

    /// The action's name in the JSON plan.
    ///
    /// Its meaning never changes.
    fileprivate var name: String {
        switch self {
        case .send: "send"
        case .resume: "resume"
        case .lapse: "lapse"
        case .schedule: "schedule"
        case .reschedule: "reschedule"
        case .paused: "paused"
        case .held: "held"
        case .rename: "rename"
        case .expire, .outlive: "expire"
        case .skip: "skip"
        case .miss: "miss"
        case .unschedule: "unschedule"
        case .lowered: "lowered"
        case .ended: "ended"
        case .redefine: "redefine"
        case .alreadySent: "already_sent"
        case .stopped: "stopped"
        case .cancel: "cancel"
        case .retire: "retire"
        case .unchanged: "unchanged"
        }
    }
}
