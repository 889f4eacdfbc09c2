import CampaignModel
package import RegistrationLists
package import State

/// A list that is read when its send begins (`read: at_send`), and the guards that are asked then.
package struct ListAtSend: Hashable, Sendable {
    package let content: ListContent
    package let guards: GuardsAtSend
}

extension SendStepTarget {
    /// Nil unless the list is read when the send begins.
    package var listAtSend: ListAtSend? {
        if case .listAtSend(let list) = self { list } else { nil }
    }
}

/// The requests of a send to a list that was read.
struct ListRequests {
    /// Without registrations that are dead or held out.
    let target: SendStepTarget
    /// The numbers of the requests to dead registrations, ascending.
    let dead: [Int]
    /// The numbers of the requests to people that are held out, ascending.
    let heldOut: [Int]
    /// Nil if all rows get the campaign's own text.
    let texts: RequestTexts?
    /// The number of the others.
    let count: Int
    /// Nil without a rollout.
    let stages: [PlannedRollout.Stage]?

    /// - Parameters:
    ///   - content: The list.
    ///   - id: The ID of what the message sends to the list.
    ///   - survey: The content of the list.
    ///   - rows: The rows that get the message; nil for all.
    ///   - known: The dead registrations.
    ///   - rollout: The stages of the send, if it has any.
    init(
        _ content: ListContent,
        as id: ListID,
        in survey: ListSurvey,
        rows: [Int]? = nil,
        without known: DeadRegistrations,
        rollout: Rollout? = nil
    ) {
        let all = survey.fingerprints.inOrder()
        let columns = content.columns
        let rowTexts = columns.flatMap { survey[$0]?.texts }
        let texts = columns.flatMap { columns in
            rowTexts.map { RequestTexts(columns.textKeys, in: $0, rows: rows) }
        }
        let divided = known.divide(
            rows.map { rows in rows.map { all[$0] } } ?? all,
            without: texts?.heldOut ?? []
        )
        if let rows {
            let part = ListPart(
                content: content,
                list: id,
                rows: rows,
                columns: content.list.peopleColumns
            )
            target = .part(part, fingerprints: divided.living)
        } else {
            target = .list(content, id, fingerprints: divided.living)
        }
        dead = divided.dead
        heldOut = texts?.heldOut ?? []
        count = divided.living.count
        self.texts = texts?.without(divided.dead)
        let places = columns.flatMap { survey[$0]?.places }
        stages = rollout.flatMap { rollout in
            places.map {
                Self.stages(of: rollout, at: $0, skipping: divided.dead + (texts?.heldOut ?? []))
            }
        }
    }

    private static func stages(
        of rollout: Rollout,
        at places: [RolloutPlace],
        skipping skipped: [Int]
    ) -> [PlannedRollout.Stage] {
        let skipped = Set(skipped)
        var counter = StageCounter(rollout)
        for (number, place) in places.enumerated() {
            counter.add(place, isAddressed: !skipped.contains(number))
        }
        return counter.stages
    }
}

extension CampaignStep {
    /// The number of registrations of a send that an earlier run started; nil if there is none.
    var startedCount: Int? {
        switch self {
        case .send(let send), .handOver(let send), .resume(let send), .lapse(let send),
            .paused(let send, _), .held(let send, _):
            send.unit?.count
        case .rename, .schedule, .reschedule, .expire, .skip, .miss, .unschedule, .outlive,
            .redefine, .alreadySent, .lowered, .ended, .stopped, .cancel, .retire, .correct,
            .uncorrectable, .answer, .unchanged:
            nil
        }
    }
}

extension SendStep {
    /// Returns the send to its list, which was read now; the caller has checked that the message can
    /// be sent to every row.
    ///
    /// A send to anything else stays as it is.
    package func addressing(_ survey: ListSurvey, without dead: DeadRegistrations) -> SendStep {
        guard let list = target.listAtSend else { return self }
        let content = list.content
        let requests = ListRequests(
            content,
            as: content.columns.flatMap { survey[$0]?.id } ?? survey.id,
            in: survey,
            without: dead,
            rollout: rollout?.rollout
        )
        return SendStep(
            occurrence: occurrence,
            due: due,
            target: requests.target,
            template: template,
            unit: unit,
            remaining: requests.count,
            policy: policy,
            priority: priority,
            deduplicationKey: deduplicationKey,
            keepsIDs: keepsIDs,
            dead: requests.dead,
            heldOut: requests.heldOut,
            texts: requests.texts,
            hold: hold,
            recipients: recipients,
            caps: caps,
            experiment: experiment,
            rollout: rollout,
            stages: requests.stages
        )
    }
}
