package import CampaignModel
import FCMClient
import FCMWire
import HTTPTransport
import RateControl
package import RunControl

/// Fetches the key of a device group from FCM; the key may differ each time and stays valid.
package struct DeviceGroupLookup: Sendable {
    private let settings: RunSettings

    package init(_ settings: RunSettings) {
        self.settings = settings
    }

    /// Repeats the query until there is an answer, because it changes nothing.
    package func key(of name: DeviceGroupName) async throws(ApplyError) -> String {
        let question = DeviceGroupQuestion(name: name.text)
        var failures = 0
        while true {
            let reason: String
            switch await answer(to: question) {
            case .key(let key): return key
            case .refused(let status, let error):
                guard status == 429 || status >= 500 else {
                    throw .refused(reason: "device group \(name): \(status) \(error)")
                }
                reason = "\(status) \(error)"
            case .silent(let detail): reason = detail
            }
            failures += 1
            if failures == Backoff.maximumFailures { throw .unanswered(reason: reason) }
            try await settings.stop.pause(for: settings.backoff.pause(after: failures))
        }
    }

    private enum Answer {
        case key(String)
        case refused(status: Int, error: String)
        case silent(String)
    }

    private func answer(to question: DeviceGroupQuestion) async -> Answer {
        do {
            let answer = try await settings.transport.send(settings.endpoint.ask(question))
            return switch DeviceGroupAnswer(status: answer.status, body: answer.body) {
            case .key(let key): .key(key)
            case .refused(let error): .refused(status: answer.status, error: error)
            }
        } catch {
            return .silent(error.detail)
        }
    }
}
