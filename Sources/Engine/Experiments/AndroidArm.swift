import CampaignModel
import JSON
import State
import Time

/// What Google's aggregated delivery data says about an arm; no verdict depends on it.
package struct AndroidArm: Hashable, Sendable {
    package enum Finding: Hashable, Sendable {
        /// The arm's messages have no analytics label.
        case noLabel
        /// Another arm has the same label, or the arm had several.
        case sharedLabel
        /// No data is stored for the label: Google leaves out small groups, and data is a day late.
        case notKnown(label: String)
        case known(Total)
    }

    package struct Total: Hashable, Sendable {
        package let label: String
        /// Messages for Android devices on days whose share of delivered ones is known.
        package let accepted: Int
        /// About how many of them were delivered.
        package let delivered: Int
        /// Such as `2037-03-20`.
        package let lastDay: String
    }

    /// The arm's number in the result.
    package let arm: Int
    package let finding: Finding
}

/// The analytics labels of the arms of an experiment, over all of its sends.
struct ArmLabels {
    private var labels: [Set<String?>]
    private let kinds: [ExperimentRecord.Kind]

    init(of experiment: ExperimentRecord) {
        kinds = experiment.arms.map(\.kind)
        labels = kinds.map { _ in [] }
    }

    /// `message`: the stored message of an occurrence.
    mutating func add(_ message: JSONValue) {
        for (number, kind) in kinds.enumerated() {
            switch kind {
            case .own: labels[number].insert(Self.label(of: message))
            case .variant(let name):
                guard let variant = message["variants"]?[name] else { continue }
                labels[number].insert(Self.label(of: variant))
            case .heldOut, .heldOutGlobally: break
            }
        }
    }

    /// That of Android replaces the common one.
    private static func label(of message: JSONValue) -> String? {
        let fields = message["fields"]
        let common = fields?["fcm_options"]?["analytics_label"]?.stringValue
        return fields?["android"]?["fcm_options"]?["analytics_label"]?.stringValue ?? common
    }

    var all: [String] { Set(labels.flatMap { $0.compactMap(\.self) }).sorted() }

    /// Empty if there is no data of any label.
    func arms(with data: [AndroidDelivery]) -> [AndroidArm] {
        guard !data.isEmpty else { return [] }
        return labels.indices.filter { !labels[$0].isEmpty }.map { number in
            AndroidArm(arm: number, finding: finding(of: number, with: data))
        }
    }

    private func finding(of number: Int, with data: [AndroidDelivery]) -> AndroidArm.Finding {
        guard labels[number].count == 1 else { return .sharedLabel }
        guard case .some(.some(let label)) = labels[number].first else { return .noLabel }
        let others = labels.indices.filter { $0 != number }
        guard !others.contains(where: { labels[$0].contains(label) }) else { return .sharedLabel }
        let known = data.filter { $0.label == label && $0.delivered != nil }
        guard let last = known.map(\.day).max() else { return .notKnown(label: label) }
        return .known(
            AndroidArm.Total(
                label: label,
                accepted: known.reduce(0) { $0 + $1.accepted },
                delivered: Int(
                    known.reduce(0.0) { $0 + Double($1.accepted) * ($1.delivered ?? 0) }.rounded()
                ),
                lastDay: last
            )
        )
    }
}

extension ExperimentReader {
    /// Reads Google's stored delivery data about the arms of exposures.
    static func androidArms(
        of exposures: [Exposure],
        as experiment: ExperimentRecord,
        in store: any ExperimentBook & StateReader
    ) async throws(ExperimentError) -> [AndroidArm] {
        var labels = ArmLabels(of: experiment)
        for exposure in exposures {
            let record = try await state { () async throws(StateStoreError) in
                try await store.occurrence(exposure.occurrence)
            }
            if let message = record?.message { labels.add(message) }
        }
        let all = labels.all
        let data = try await state { () async throws(StateStoreError) in
            try await store.deliveries(of: all)
        }
        // Google's days begin up to eight hours after those in UTC.
        let first = exposures.map(\.begins).min().map { $0.advanced(bySeconds: -86_400).utcText }
        return labels.arms(with: data.filter { $0.day >= (first ?? "").prefix(10) })
    }
}
