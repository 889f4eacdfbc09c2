import State

/// Why a worker sends nothing more of an occurrence.
enum FleetProblem: Hashable, Sendable {
    /// FCM rejects the caller: credential, project or request.
    case refused(reason: String)
    /// The server was unreachable, or failed, several times in a row.
    case unanswered(reason: String)
    /// FCM rejected the message itself for this many registrations in a row.
    case refusedPayload(count: Int)

    private static let refusedMark = "refused: "
    private static let unansweredMark = "unanswered: "
    private static let payloadMark = "refused payload: "

    /// The form in which the state stores it.
    var text: String {
        switch self {
        case .refused(let reason): Self.refusedMark + reason
        case .unanswered(let reason): Self.unansweredMark + reason
        case .refusedPayload(let count): "\(Self.payloadMark)\(count)"
        }
    }

    init(text: String) {
        func rest(after mark: String) -> String? {
            text.hasPrefix(mark) ? String(text.dropFirst(mark.count)) : nil
        }
        if let count = rest(after: Self.payloadMark).flatMap({ Int($0) }) {
            self = .refusedPayload(count: count)
        } else if let reason = rest(after: Self.refusedMark) {
            self = .refused(reason: reason)
        } else {
            self = .unanswered(reason: rest(after: Self.unansweredMark) ?? text)
        }
    }

    /// The end of a send that stops because of it.
    var end: DispatchMachine.End {
        switch self {
        case .refused(let reason): .refused(reason: reason)
        case .unanswered(let reason): .unanswered(reason: reason)
        case .refusedPayload(let count):
            .held(
                WrongListDetector.WrongListEvidence(
                    hold: .refusedPayload,
                    dead: 0,
                    mismatched: 0,
                    answers: count
                )
            )
        }
    }
}
