import CampaignMessages
package import CampaignModel
import FCMWire
package import JSON
import RegistrationLists
import State

/// Requests of a plan that differ only in their registration.
package struct PlannedRequests: Hashable, Sendable {
    package enum Purpose: Hashable, Sendable {
        case leave(AudienceID)
        case join(AudienceID)
        case send(CampaignID)
    }

    package let purpose: Purpose
    package let path: String
    /// The body of each request, with `registrationMark` in place of the registration.
    package let body: JSONValue
    /// One request per registration; nil if the body is complete.
    package let registrations: [Fingerprint]?

    package static let registrationMark = "{registration}"
    /// Placeholder for the key of a device group, which Herald fetches from FCM before the send.
    package static let groupMark = "{notification key}"

    package var count: Int { registrations?.count ?? 1 }
}

extension Plan {
    /// Calls `body` with every request that changes or sends something, in order.
    ///
    /// Requests to a list that is read when its send begins are not known.
    ///
    /// The code that builds requests for sending builds these, too. `project` is the project's id
    /// in FCM.
    package func forEachRequest(project: String, body: (PlannedRequests) -> Void) {
        for change in memberships {
            let batch = InstanceIDBatch(change: .remove, topic: change.scope.topic.name)
            let purpose = PlannedRequests.Purpose.leave(change.scope.audience)
            forEachPart(of: batch, for: change.leaves, purpose: purpose, body: body)
        }
        for change in memberships {
            let batch = InstanceIDBatch(change: .add, topic: change.scope.topic.name)
            let purpose = PlannedRequests.Purpose.join(change.scope.audience)
            forEachPart(of: batch, for: change.joins, purpose: purpose, body: body)
        }
        for action in campaigns {
            guard let correction = action.step.correction, !correction.isHandedOver else {
                continue
            }
            let target = correction.target.onWire
            let template = correction.recall.template
            body(
                PlannedRequests(
                    purpose: .send(action.campaign),
                    path: SendRequest.path(project: project),
                    body: template.preview.body(to: target.target),
                    registrations: target.registrations
                )
            )
        }
        for send in sends where send.remaining > 0 {
            let target = send.target.onWire
            for (template, registrations) in send.requests(to: target.registrations) {
                body(
                    PlannedRequests(
                        purpose: .send(send.occurrence.campaign),
                        path: SendRequest.path(project: project),
                        body: template.preview.body(to: target.target),
                        registrations: registrations
                    )
                )
            }
        }
    }

    private func forEachPart(
        of batch: InstanceIDBatch,
        for members: [Fingerprint],
        purpose: PlannedRequests.Purpose,
        body: (PlannedRequests) -> Void
    ) {
        let size = InstanceIDBatch.maximumRegistrations
        for first in stride(from: 0, to: members.count, by: size) {
            let part = members[first..<min(first + size, members.count)]
            body(
                PlannedRequests(
                    purpose: purpose,
                    path: batch.path,
                    body: batch.body(registrations: part.map(\.description)),
                    registrations: nil
                )
            )
        }
    }
}

extension SendStep {
    /// Divides the registrations by the text that they get.
    fileprivate func requests(
        to registrations: [Fingerprint]?
    ) -> [(template: MessageTemplate, registrations: [Fingerprint]?)] {
        guard let texts, let registrations else { return [(template, registrations)] }
        return texts.keys.enumerated().compactMap { number, key in
            let own = texts.registrations(ofText: number, among: registrations)
            return own.isEmpty ? nil : (template.text(key) ?? template, own)
        }
    }
}

extension SendStepTarget {
    fileprivate var onWire: (target: SendTarget, registrations: [Fingerprint]?) {
        switch self {
        case .topic(let topic): (.topic(topic.name), nil)
        case .condition(let text): (.condition(text), nil)
        case .group: (.token(PlannedRequests.groupMark), nil)
        case .list(let content, _, let fingerprints) where content.list.kind == .fid:
            (.fid(PlannedRequests.registrationMark), fingerprints)
        case .part(let part, let fingerprints) where part.content?.list.kind == .fid:
            (.fid(PlannedRequests.registrationMark), fingerprints)
        case .list(_, _, let fingerprints), .part(_, let fingerprints),
            .stored(_, let fingerprints):
            (.token(PlannedRequests.registrationMark), fingerprints)
        case .listAtSend: (.token(PlannedRequests.registrationMark), [])
        }
    }
}

/// The plan in numbers.
package struct PlanSummary: Hashable, Sendable {
    package private(set) var joins = 0
    package private(set) var leaves = 0
    package private(set) var forgotten = 0
    package private(set) var noted = 0
    package private(set) var sends = 0
    package private(set) var scheduled = 0
    package private(set) var changed = 0
    package private(set) var cancelled = 0
    package private(set) var expired = 0
    package private(set) var stopped = 0
    package private(set) var paused = 0
    package private(set) var requests = 0

    package init(_ plan: Plan) {
        for change in plan.memberships {
            joins += change.joins.count
            leaves += change.leaves.count
            forgotten += change.forgotten.count
            noted += change.noted.count
        }
        for action in plan.campaigns {
            switch action.step {
            case .send, .resume: sends += 1
            case .correct(let correction) where correction.isHandedOver: scheduled += 1
            case .correct: sends += 1
            case .handOver, .schedule, .reschedule: scheduled += 1
            case .redefine, .alreadySent, .lowered, .ended, .rename, .uncorrectable, .answer:
                changed += 1
            case .cancel, .retire, .unschedule: cancelled += 1
            case .expire, .skip, .outlive, .lapse: expired += 1
            case .miss(let missed): expired += missed.count
            case .stopped, .held: stopped += 1
            case .paused: paused += 1
            case .unchanged: break
            }
        }
        plan.forEachRequest(project: "") { requests += $0.count }
    }
}
