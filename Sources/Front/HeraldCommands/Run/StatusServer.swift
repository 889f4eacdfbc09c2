import CBuild
import HTTPServing
import HTTPTransport
import Presentation
import Service

/// Serves the health and the metrics of a service.
struct StatusServer {
    private let listener: HTTPListener
    /// With the actual port.
    let url: String

    init(
        at address: ListenAddress,
        of monitor: ServiceMonitor
    ) async throws(CommandFailure) {
        do throws(HTTPListener.Failure) {
            listener = try await HTTPListener.start(host: address.host, port: address.port) {
                Self.answer(to: $0, about: monitor)
            }
        } catch {
            let url = address.url(port: address.port)
            switch error {
            case .addressInUse: throw CommandFailure(.addressInUse(url))
            case .cannotListen(let reason):
                throw CommandFailure(.cannotListen(on: url, because: reason))
            }
        }
        url = address.url(port: listener.port)
    }

    func stop() async { await listener.stop() }

    private static func answer(to path: String, about monitor: ServiceMonitor) -> HTTPAnswer {
        switch path {
        case "/healthz":
            let isAlive = monitor.isAlive
            return page(
                HealthView.renderLiveness(isAlive: isAlive),
                HealthView.contentType,
                status: isAlive ? 200 : 503
            )
        case "/readyz":
            let status = monitor.status().status
            return page(
                HealthView.renderReadiness(status.health, active: status.active),
                HealthView.contentType,
                status: status.health.isReady ? 200 : 503
            )
        case "/metrics":
            let (status, now, steady) = monitor.status()
            let view = MetricsView(
                release: Herald.release,
                commit: String(cString: herald_build_commit)
            )
            return page(view.render(status, at: now, steady: steady), MetricsView.contentType)
        default: return HTTPAnswer(status: 404)
        }
    }

    private static func page(
        _ text: String,
        _ contentType: String,
        status: Int = 200
    ) -> HTTPAnswer {
        HTTPAnswer(
            status: status,
            headers: [HTTPHeader(name: "Content-Type", value: contentType)],
            body: Array(text.utf8)
        )
    }
}
