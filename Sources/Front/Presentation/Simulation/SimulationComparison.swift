import DeliveryModel
import Simulation

/// A plan next to what was applied, over the same devices with the same random choices.
package struct SimulationComparison: Sendable {
    package struct Row: Hashable, Sendable {
        let campaign: String
        /// The delivered messages; nil if the campaign sends nothing.
        let before: Int?
        let after: Int?

        var difference: Int { (after ?? 0) - (before ?? 0) }
    }

    /// The campaigns whose deliveries differ: first those of the plan, then the removed ones.
    let rows: [Row]
    /// The number of campaigns with the same deliveries.
    let unchanged: Int
    let before: SimulationResult
    let after: SimulationResult

    init(_ after: SimulationResult, with before: SimulationResult) {
        self.before = before
        self.after = after
        func delivered(_ result: SimulationResult) -> [String: Int] {
            Dictionary(result.campaigns.map { ($0.campaign, $0.outcomes[.delivered]) }) { $0 + $1 }
        }
        let (old, new) = (delivered(before), delivered(after))
        let removed = before.campaigns.map(\.campaign).filter { new[$0] == nil }
        let names = after.campaigns.map(\.campaign) + removed
        let rows = names.map { Row(campaign: $0, before: old[$0], after: new[$0]) }
        self.rows = rows.filter { $0.before != $0.after }
        unchanged = rows.count { $0.before == $0.after }
    }

    /// For example, `Messages per device on average`, with the applied and the planned number.
    var load: [(name: String, before: String, after: String)] {
        [
            (
                "Messages per device, on average", SimulationWording.mean(of: before),
                SimulationWording.mean(of: after)
            ),
            (
                "Messages per device, at most", before.pressure.most.grouped,
                after.pressure.most.grouped
            ),
            (
                "Messages per device in one day, at most", before.pressure.mostInOneDay.grouped,
                after.pressure.mostInOneDay.grouped
            ),
        ]
    }

    /// For example, `+1,200`.
    static func signed(_ number: Int) -> String {
        number > 0 ? "+\(number.grouped)" : number < 0 ? "−\((-number).grouped)" : "0"
    }

    /// The rows as sentences, without names from the files.
    var sentences: [(campaign: String?, wording: String)] {
        guard !rows.isEmpty else {
            return [(nil, "the same messages are delivered as without this plan")]
        }
        return rows.map { row in
            let wording =
                switch (row.before, row.after) {
                case (nil, let after?): "\(after.grouped) delivered, none without this plan"
                case (let before?, nil): "none delivered, \(before.grouped) without this plan"
                case (let before, let after):
                    "\((after ?? 0).grouped) delivered, \((before ?? 0).grouped) without this plan"
                }
            return (row.campaign, wording)
        }
    }
}
