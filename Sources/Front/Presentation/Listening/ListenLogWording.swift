import Inbox
package import Listening
import Upstream

extension ServiceLogEntry {
    /// Nil if a metric says enough.
    package static func listener(_ notice: UpstreamNotice) -> ServiceLogEntry? {
        switch notice {
        case .connection(let notice): return connection(notice)
        case .refused(let refusal, let transport):
            return line(
                "Refused a message over \(transport.wording): \(refusal.name)",
                level: .warning
            )
        case .refusedByServer(let refusal):
            return line(
                "The XMPP server refused a stanza: \(TextStyle.safe(refusal.code))"
                    + TextStyle.reason(refusal.description),
                level: .warning
            )
        case .stanzaError(let code, let text):
            return line(
                "The XMPP server answered with a stanza error \(TextStyle.safe(code))"
                    + TextStyle.reason(text),
                level: .warning
            )
        case .ignored(let type):
            return line("Ignored a stanza of the type `\(TextStyle.safe(type))`", level: .warning)
        case .stored(let counts, let transport): return conflicts(counts, over: transport)
        case .acknowledged: return nil
        case .storeFailure(let error), .removalFailure(let error):
            return failed(ErrorText(error), problem: nil).shown
        }
    }

    /// `url`: with the actual port.
    package static func receiving(at url: String) -> ServiceLogEntry {
        line("Receiving messages at \(url)")
    }

    private static func conflicts(
        _ counts: StoredCounts,
        over transport: UpstreamTransport
    ) -> ServiceLogEntry? {
        guard counts.conflicts > 0 else { return nil }
        return line(
            "\(counts.conflicts) messages over \(transport.wording) have the ID of a stored message "
                + "and other content: they are not stored",
            level: .warning
        )
    }

    private static func connection(
        _ notice: ConnectionSet<UpstreamMessage>.Notice
    ) -> ServiceLogEntry {
        switch notice {
        case .opened(let id): line("Connection \(id.number) is open")
        case .ended(let id, .closedHere): line("Connection \(id.number) is closed")
        case .ended(let id, let end):
            line("Connection \(id.number) ended: \(end.wording)", level: end.level)
        case .draining(let id):
            line("The XMPP server drains connection \(id.number)")
        case .tooManyUnacknowledged(let id):
            line(
                "The XMPP server sent more than 100 unacknowledged messages on connection "
                    + "\(id.number): the rest is not stored, and another connection replaces it",
                level: .warning
            )
        case .blocked(let id):
            line(
                "100 messages on connection \(id.number) are refused and stay unacknowledged: "
                    + "another connection replaces it",
                level: .warning
            )
        case .storeFailed(let messages):
            line("\(messages) messages wait for the inbox", level: .error)
        case .storeRecovered: line("The inbox stores messages again")
        }
    }

    /// The same line, also in the text log.
    private var shown: ServiceLogEntry { .line(message, level: level) }
}

extension ConnectionEnd {
    fileprivate var wording: String {
        switch self {
        case .closedHere: "closed"
        case .cut(let reason): "the connection was cut (\(TextStyle.safe(reason)))"
        case .unreachable(let reason):
            "the XMPP server cannot be reached (\(TextStyle.safe(reason)))"
        case .untrusted(let reason):
            "the XMPP server's certificate or handshake is refused (\(TextStyle.safe(reason)))"
        case .denied: "the XMPP server refused the sender ID or the server key"
        }
    }

    fileprivate var level: ServiceLogEntry.Level {
        switch self {
        case .closedHere: .info
        case .cut, .unreachable: .warning
        case .untrusted, .denied: .error
        }
    }
}

extension UpstreamTransport {
    fileprivate var wording: String {
        switch self {
        case .xmpp: "XMPP"
        case .http: "HTTP"
        }
    }
}

extension TextStyle {
    fileprivate static func reason(_ text: String?) -> String {
        guard let text, !text.isEmpty else { return "" }
        return " (\(safe(text)))"
    }
}
