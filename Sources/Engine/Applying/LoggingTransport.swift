import CampaignModel
package import FCMClient
package import HTTPTransport
package import RegistrationLists
import Text

/// Reports every request of another transport, without its secrets.
package struct LoggingTransport: Transport {
    private let transport: any Transport
    private let fingerprinter: Fingerprinter
    private let tell: @Sendable (RequestNote) -> Void

    package init(
        _ transport: any Transport,
        fingerprinter: Fingerprinter,
        tell: @escaping @Sendable (RequestNote) -> Void
    ) {
        self.transport = transport
        self.fingerprinter = fingerprinter
        self.tell = tell
    }

    package func prepare(_ url: String) async throws(TransportError) {
        try await transport.prepare(url)
    }

    package func send(_ request: HTTPRequest) async throws(TransportError) -> HTTPAnswer {
        let began = ContinuousClock.now
        do {
            let answer = try await transport.send(request)
            tell(note(on: request, end: .status(answer.status), since: began))
            return answer
        } catch {
            tell(note(on: request, end: .failed(error.reason.wording), since: began))
            throw error
        }
    }

    private func note(
        on request: HTTPRequest,
        end: RequestNote.End,
        since began: ContinuousClock.Instant
    ) -> RequestNote {
        RequestNote(
            method: request.method.rawValue,
            place: RequestPlace(request.url, with: fingerprinter).text,
            end: end,
            duration: began.duration(to: .now)
        )
    }
}

/// A request's address without secrets.
struct RequestPlace {
    let text: String

    init(_ url: String, with fingerprinter: Fingerprinter) {
        let path = url.prefix { $0 != "?" && $0 != "#" }
        var parts: [String] = []
        for part in path.split(separator: "/", omittingEmptySubsequences: false) {
            let isNamed = Self.isRegistration(part, after: parts)
            parts.append(isNamed ? Self.name(of: part, with: fingerprinter) : String(part))
        }
        text = parts.joined(separator: "/") + (path.count < url.count ? "?…" : "")
    }

    /// Whether a part of a path is a registration: after `/iid/info/` and `/iid/v1/`, after
    /// `registrations/`, or any part that is long enough.
    private static func isRegistration(_ part: Substring, after parts: [String]) -> Bool {
        switch parts.suffix(2) {
        case ["iid", "info"], ["iid", "v1"]: true
        default: parts.last == "registrations" || part.utf8.count > longestName
        }
    }

    /// Project IDs, topics and methods are shorter; FCM registrations are longer.
    private static let longestName = 128

    private static func name(of part: Substring, with fingerprinter: Fingerprinter) -> String {
        guard let token = String(part).percentDecoded, let registration = Registration(token)
        else { return "<redacted>" }
        return fingerprinter.fingerprint(of: registration).description
    }
}
