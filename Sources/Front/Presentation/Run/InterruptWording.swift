package import SystemIO

/// What a command reports when it is asked to end.
package enum InterruptWording {
    case applying
    case following
    case sendingTests
    case changingMemberships
    case watching
    case serving
    case listening

    package func text(for request: EndRequest) -> String {
        switch request {
        case .interrupt: text
        case .termination: "Received SIGTERM. " + text
        case .hangup: "The terminal was closed. " + text
        case .unwritableOutput(let problem):
            "Standard output cannot be written: \(problem.reason). " + text
        }
    }

    private var text: String {
        switch self {
        case .applying:
            "Stopping: no new requests; waiting for open requests. Press Ctrl-C again to exit now."
        case .following: "Stopped waiting. The service continues."
        case .sendingTests: "Stopping: no new requests."
        case .changingMemberships: "Stopping."
        case .watching: "Stopped watching."
        case .serving: "Stopping the emulator."
        case .listening: "Stopping: no new messages; waiting for open commits."
        }
    }
}
