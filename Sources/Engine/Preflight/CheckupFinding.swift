/// One check of `herald doctor`, with its result.
package struct CheckupFinding: Hashable, Sendable {
    /// In the order of execution.
    package enum Check: String, Hashable, Sendable, CaseIterable {
        case files
        case state
        /// Only for a state on a server.
        case standbys
        /// Only for a state that several processes send from.
        case workers
        case credentials
        case project
        case token
        case sender
        case proxy
        case connection
        case clock
        case send
        case memberships
        case devices
        case senders
        case addresses
        case idle
    }

    package enum Verdict: String, Hashable, Sendable {
        case ok
        case warning
        case problem
        /// A check that this one depends on has failed.
        case skipped
    }

    package let check: Check
    package let verdict: Verdict
    /// The result as text, without secrets; it may contain a server's message.
    package let seen: String
    /// How to fix the problem; nil if there is none.
    package let wayOut: String?

    package init(_ check: Check, verdict: Verdict, seen: String, wayOut: String? = nil) {
        self.check = check
        self.verdict = verdict
        self.seen = seen
        self.wayOut = wayOut
    }

    package static func ok(_ check: Check, seen: String, wayOut: String? = nil) -> Self {
        CheckupFinding(check, verdict: .ok, seen: seen, wayOut: wayOut)
    }

    package static func skipped(_ check: Check, because reason: String) -> Self {
        CheckupFinding(check, verdict: .skipped, seen: reason)
    }
}
