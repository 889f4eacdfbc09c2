package import Service
import State

/// Describes the process for which a service waits.
package struct StandbyWording {
    private let need: StandbyMachine.Need
    private let holder: StandbyMachine.Holder

    package init(_ holder: StandbyMachine.Holder, for need: StandbyMachine.Need) {
        self.holder = holder
        self.need = need
    }

    /// What the service says when the wait begins or the holder changes.
    package var text: String {
        switch need {
        case .role: "Standby: \(subject) \(state). \(outlook).\n"
        case .lock: "Due sends wait: \(subject) \(state). \(outlook).\n"
        }
    }

    /// Why the service is not ready while the holder may not end by itself.
    package var problem: String {
        holder.isStopped
            ? "\(subject) is stopped and keeps this service from sending"
            : "\(subject) writes the state"
    }

    /// The wait is over.
    package static func ended(_ need: StandbyMachine.Need, after wait: Duration) -> String {
        let length = MomentWording.length(wait.components.seconds)
        return switch need {
        case .role: "No longer a standby (after \(length)): this service sends now.\n"
        case .lock: "This service has the lock (after \(length)).\n"
        }
    }

    private var subject: String {
        holder.worker?.wording ?? (need == .role ? "another service" : "another process")
    }

    private var state: String {
        switch (need, holder.isStopped) {
        case (.role, false): "sends from this state"
        case (.lock, false): "is writing this state"
        case (_, true): "is stopped, for example by SIGSTOP, and nothing is sent"
        }
    }

    private var outlook: String {
        guard holder.isStopped else {
            return need == .role
                ? "This service takes over when that process ends"
                : "This service continues after it"
        }
        return "Continue it (SIGCONT) or end it (SIGKILL)"
    }
}
