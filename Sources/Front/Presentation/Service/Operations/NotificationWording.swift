import CampaignModel
import Planning
import Service
import State

/// The text of a notification.
struct NotificationWording: Sendable {
    private let notification: ServiceNotification
    private let source: NotificationSource

    init(_ notification: ServiceNotification, from source: NotificationSource) {
        self.notification = notification
        self.source = source
    }

    /// One line, for clients that show no blocks.
    var text: String {
        Self.cut(Self.escaped("\(place): \(sentence)\(rest.map { " \($0)" } ?? "")"))
    }

    /// Slack's markup.
    var markup: String {
        Self.cut(
            "*\(Self.escaped(place))*: \(Self.escaped(sentence))"
                + (rest.map { "\n" + Self.escaped($0) } ?? "")
        )
    }

    private var place: String { "\(source.project), \(source.environment)" }

    private var sentence: String {
        switch notification.subject {
        case .occurrence(let id, _, let hold):
            "`\(id)` \(Self.words(notification.event))" + (hold.map { ": \($0.wording)." } ?? ".")
        case .credential(let reason?): "Sends fail: \(TextStyle.safe(reason))."
        case .credential(nil): "The credential works again. Sends continue."
        }
    }

    private static func words(_ event: ServiceNotification.Event) -> String {
        switch event {
        case .held: "is held"
        case .stopped: "is stopped at an unknown outcome"
        case .expired: "was too late"
        case .finished: "is finished"
        case .credentialFailed, .credentialRecovered: ""
        }
    }

    /// The counts and the next step; nil if there is neither.
    private var rest: String? {
        let counts: String? =
            if case .occurrence(_, let counts, _) = notification.subject {
                Self.text(of: counts)
            } else {
                nil
            }
        let hint = CommandHint(for: source.environment)
        let step: String? =
            switch notification.event {
            case .held, .stopped, .expired: "`\(hint("status"))` shows what to do."
            case .credentialFailed:
                "Nothing is lost: unsent requests stay in the state. `\(hint("doctor"))` finds the "
                    + "cause."
            case .finished, .credentialRecovered: nil
            }
        let parts = [counts, step].compactMap(\.self)
        return parts.isEmpty ? nil : parts.joined(separator: " ")
    }

    private static func text(of counts: OutcomeTally) -> String? {
        let parts = counts.named.filter { $0.count > 0 }.map {
            "\($0.count) \($0.name.replacing("_", with: " "))"
        }
        return parts.isEmpty ? nil : parts.joined(separator: ", ") + "."
    }

    /// Slack's control characters (Slack documentation, Formatting message text).
    private static func escaped(_ text: String) -> String {
        text.replacing("&", with: "&amp;").replacing("<", with: "&lt;")
            .replacing(">", with: "&gt;")
    }

    /// Slack refuses longer sections.
    private static let longest = 3_000

    private static func cut(_ text: String) -> String {
        text.count <= longest ? text : text.prefix(longest - 1) + "…"
    }
}
