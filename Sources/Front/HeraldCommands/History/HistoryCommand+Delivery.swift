import Applying
import CampaignModel
import Presentation
import State
import Text

extension HistoryCommand {
    /// The number of IDs per query, which is the emulator's maximum.
    private static let idsAtOnce = 100

    /// Shows the delivery of a run's messages on the devices of the environment's emulator.
    func showDelivery(
        of run: RunOverview,
        in state: EnvironmentState,
        reader: OverviewReader
    ) async throws(CommandFailure) {
        let desk = try await EmulatorControlClient.open(of: state, options: options)
        let deliveries = try await desk.asking { (desk) async throws(CommandFailure) in
            var deliveries: [SendingDelivery] = []
            for sending in run.sendings {
                deliveries.append(try await delivery(of: sending, from: reader, at: desk))
            }
            return deliveries
        }
        let view = DeliveryView(run: run.run.id.number, deliveries: deliveries)
        Output.data(format == .json ? view.json : view.text(options.outputStyle))
    }

    private func delivery(
        of sending: RunOccurrenceOverview,
        from reader: OverviewReader,
        at desk: EmulatorControlClient
    ) async throws(CommandFailure) -> SendingDelivery {
        let ids = try await messageIDs(of: sending, from: reader)
        let basis = SendingDelivery.Basis(ids: ids, label: sending.label)
        var delivery = SendingDelivery(
            sending.sending.occurrence,
            accepted: sending.sending.tally[.accepted],
            basis: basis
        )
        if case .label(let label) = basis {
            delivery.add(try await desk.get("/emulator/v1/messages?label=" + label.inQuery))
        }
        for start in stride(from: 0, to: ids.count, by: Self.idsAtOnce) {
            let part = ids[start..<min(start + Self.idsAtOnce, ids.count)]
            let list = part.map(\.inQuery).joined(separator: ",")
            delivery.add(try await desk.get("/emulator/v1/messages?ids=" + list))
        }
        return delivery
    }

    /// The stored message IDs without their prefix.
    private func messageIDs(
        of sending: RunOccurrenceOverview,
        from reader: OverviewReader
    ) async throws(CommandFailure) -> [String] {
        if let name = sending.messageID { return [name.lastPart] }
        guard let unit = sending.unit, unit.keepsIDs, unit.compacted == nil else { return [] }
        var ids: [String] = []
        try await mapStateErrors { () async throws(StateStoreError) in
            try await reader.forEachMessageID(of: unit) { ids.append($0.id.lastPart) }
        }
        return ids
    }
}

extension SendingDelivery.Basis {
    fileprivate init(ids: [String], label: String?) {
        if !ids.isEmpty {
            self = .ids
        } else {
            self = label.map { .label($0) } ?? .nothing
        }
    }
}

extension String {
    /// The last path component: `1` for `projects/p/messages/1`.
    fileprivate var lastPart: String {
        String(split(separator: "/").last ?? "")
    }

    /// The text escaped for a query.
    ///
    /// Of the characters in IDs and labels, only `%` needs escaping.
    fileprivate var inQuery: String { replacing("%", with: "%25") }
}
