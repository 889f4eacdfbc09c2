import FCMWire
package import HTTPTransport
import JSON

/// Detects which membership API is available, with requests that change nothing.
package enum MembershipCheck {
    package enum Way: Hashable, Sendable {
        case served
        /// Missing, or not permitted (403, 404, 410).
        case notServed
        case unsure
    }

    /// A registration that does not exist.
    package static let registration = "herald-doctor"

    /// Interprets the Instance ID API's answer to a batch with one registration that does not
    /// exist.
    package static func way(batch answer: HTTPAnswer) -> Way {
        switch InstanceIDAnswer(status: answer.status, body: answer.body, expected: 1) {
        case .verdicts: .served
        case .refused(let status, _) where InstanceIDAbsence.isMeant(by: status): .notServed
        case .refused(400, _): .served
        case .refused: .unsure
        }
    }

    /// Interprets the answer to a query for the subscriptions of a registration that does not
    /// exist; a Google error means that the API is available.
    package static func way(single answer: HTTPAnswer) -> Way {
        let isGoogles = JSONValue(parsing: answer.body)?["error"]?["status"]?.stringValue != nil
        switch answer.status {
        case 200, 400: return .served
        case 404 where isGoogles: return .served
        case 403, 404, 410, 501: return .notServed
        default: return .unsure
        }
    }

    package static func finding(
        batch: Way,
        single: Way,
        statuses: (batch: Int, single: Int)
    ) -> CheckupFinding {
        switch (batch, single) {
        case (.served, .served):
            return .ok(
                .memberships,
                seen: "in batches and one by one; `transport: auto` uses batches of 1,000"
            )
        case (.served, _):
            return .ok(
                .memberships,
                seen: "in batches of the Instance ID API; `transport: batch` or auto"
            )
        case (_, .served):
            return .ok(
                .memberships,
                seen: "one registration per request; the Instance ID API answers \(statuses.batch)",
                wayOut: "`transport: auto` detects this in its first run; `transport: "
                    + "per_registration` starts with it"
            )
        case (.notServed, .notServed):
            return CheckupFinding(
                .memberships,
                verdict: .problem,
                seen: "the Instance ID API answers \(statuses.batch), topic subscriptions "
                    + "\(statuses.single)",
                wayOut: "give the account the permissions cloudmessaging.topicSubscriptions.create "
                    + "and .update, or leave joining topics to the app"
            )
        case (.unsure, _), (_, .unsure):
            return CheckupFinding(
                .memberships,
                verdict: .warning,
                seen: "unknown: the Instance ID API answers \(statuses.batch), topic subscriptions "
                    + "\(statuses.single)",
                wayOut: "run the check again in a minute"
            )
        }
    }
}
