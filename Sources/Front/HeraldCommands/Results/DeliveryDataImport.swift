import CampaignModel
import FCMClient
import FCMWire
import HTTPTransport
import Presentation
import State
import StoreTables

/// Stores Google's aggregated delivery data of an Android app.
struct DeliveryDataImport {
    let app: String
    let allowsAnyServer: Bool

    /// More pages are an answer that never ends.
    private static let maximumPages = 10_000

    /// Returns what to print.
    func run(
        in state: EnvironmentState,
        with environment: EnvironmentOptions,
        to store: any TableStore
    ) async throws(CommandFailure) -> String {
        let project = try state.session.project(in: environment).0
        let server = try await EndpointServer.reach(
            EndpointServer.Target(state.chosen, of: project, allowsAnyServer: allowsAnyServer),
            in: state.session
        )
        let days: [DeliveryDataDay]
        do throws(CommandFailure) {
            days = try await fetch(from: server)
        } catch {
            await server.stop()
            throw error
        }
        await server.stop()
        let deliveries = days.filter { !$0.label.isEmpty }.map { day in
            AndroidDelivery(
                app: app,
                label: day.label,
                day: day.date,
                accepted: day.accepted,
                delivered: day.delivered
            )
        }
        try await mapStateErrors { () async throws(StateStoreError) in
            try await store.record(deliveries)
        }
        return DeliveryDataTextView().render(
            days: Set(deliveries.map(\.day)).count,
            labels: Set(deliveries.map(\.label)).count
        )
    }

    private func fetch(
        from server: EndpointServer
    ) async throws(CommandFailure) -> [DeliveryDataDay] {
        let transport = server.endpoint.renewing(server.transport)
        var days: [DeliveryDataDay] = []
        var token: String?
        for _ in 0..<Self.maximumPages {
            let question = DeliveryDataQuestion(app: app, pageToken: token)
            let answer: HTTPAnswer
            do throws(TransportError) {
                answer = try await transport.send(server.endpoint.ask(question))
            } catch {
                throw CommandFailure(.deliveryDataUnanswered(because: error.detail))
            }
            switch DeliveryDataAnswer(status: answer.status, body: answer.body) {
            case .page(let page, let next):
                days += page
                guard let next, next != token else { return days }
                token = next
            case .refused(let reason):
                throw CommandFailure(.deliveryDataRefused(because: reason))
            }
        }
        throw CommandFailure(.deliveryDataUnanswered(because: "the answer has no last page"))
    }
}
