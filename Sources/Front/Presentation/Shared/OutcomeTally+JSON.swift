import CampaignModel
import JSON
import State

extension OutcomeTally {
    /// A number that JSON shows, and the outcomes that it counts.
    struct Count: Sendable {
        let name: String
        let about: String
        let outcomes: [Outcome]
    }

    static let counts = [
        Count(name: "accepted", about: "Requests that FCM accepted.", outcomes: [.accepted]),
        Count(name: "rejected", about: "Requests that FCM rejected.", outcomes: [.rejected]),
        Count(
            name: "unknown",
            about: "Requests whose outcome cannot be determined.",
            outcomes: [.unknown]
        ),
        Count(name: "expired", about: "Requests that were too late.", outcomes: [.expired]),
        Count(
            name: "suppressed",
            about: "Requests that were left out on purpose.",
            outcomes: [.suppressed]
        ),
        Count(
            name: "cancelled",
            about: "Requests that were cancelled before they were sent.",
            outcomes: [.cancelled]
        ),
        Count(
            name: "not_sent",
            about: "Requests that were not sent.",
            outcomes: [.intended, .returned]
        ),
    ]

    static let shape = JSONShape<OutcomeTally>(
        "Requests by outcome.",
        counts.map { count in
            .required(count.name, .count, about: count.about) { $0.number(of: count) }
        }
    )

    /// Each count with its JSON name.
    var named: [(name: String, count: Int)] {
        Self.counts.map { ($0.name, number(of: $0)) }
    }

    private func number(of count: Count) -> Int { count.outcomes.reduce(0) { $0 + self[$1] } }
}
