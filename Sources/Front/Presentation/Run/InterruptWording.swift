/// What a command reports when the user presses Ctrl-C.
package enum InterruptWording {
    case applying
    case sendingTests
    case changingMemberships
    case watching
    case serving

    package var text: String {
        switch self {
        case .applying:
            "Stopping: no new requests; waiting for open requests. Press Ctrl-C again to exit now."
        case .sendingTests: "Stopping: no new requests."
        case .changingMemberships: "Stopping."
        case .watching: "Stopped watching."
        case .serving: "Stopping the emulator."
        }
    }
}
