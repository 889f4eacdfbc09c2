/// One thing that `herald doctor` looked at, and what it saw.
package struct CheckupFinding: Hashable, Sendable {
    /// In the order in which they are looked at.
    package enum Check: String, Hashable, Sendable, CaseIterable {
        case files
        case state
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
        /// Something before it failed, on which it rests.
        case skipped
    }

    package let check: Check
    package let verdict: Verdict
    /// In words, with no secret in them; it may have a server's words.
    package let seen: String
    /// Nil where there is nothing to be done.
    package let wayOut: String?

    package init(_ check: Check, _ verdict: Verdict, _ seen: String, wayOut: String? = nil) {
        self.check = check
        self.verdict = verdict
        self.seen = seen
        self.wayOut = wayOut
    }

    package static func ok(_ check: Check, _ seen: String, wayOut: String? = nil) -> Self {
        CheckupFinding(check, .ok, seen, wayOut: wayOut)
    }

    package static func skipped(_ check: Check, because reason: String) -> Self {
        CheckupFinding(check, .skipped, reason)
    }
}
