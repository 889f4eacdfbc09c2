package import Service
package import Time

/// What a service reports while it runs.
package enum ServiceWording {
    package static func notice(_ notice: ServiceMachine.Notice) -> String {
        switch notice {
        case .clockJumped(let seconds):
            "The clock was set \(seconds < 0 ? "back" : "forward") by "
                + "\(MomentWording.length(abs(seconds))). Due times are computed again.\n"
        case .clockBehind(let last):
            "The clock is before the last run (\(last.utcText)). Nothing is sent until then.\n"
        case .clockCaughtUp: "The clock has reached the time of the last run. Sends continue.\n"
        }
    }

    /// `next`: when the next occurrence is due; nil if none is scheduled.
    package static func waiting(for next: Instant?, at now: Instant) -> String {
        next.map {
            "Waiting. The next send is due at \(MomentWording(now: now).distance(of: $0)).\n"
        }
            ?? "Waiting. Nothing is scheduled.\n"
    }

    /// A window failed, and the service tries again after a pause.
    package static func retrying(after pause: Duration) -> String {
        "The service tries again in \(pause.components.seconds) s.\n"
    }

    package static let reloading = "Received SIGHUP. The next window reads the credential again.\n"
}

extension ErrorText {
    /// `path`: of `--lists`.
    package static func noListDirectory(_ path: String) -> ErrorText {
        ErrorText(
            "--lists is not a directory: \(TextStyle.safe(path))",
            help: "name the directory that contains the lists, with the paths of the project"
        )
    }

    /// `last`: the time of the last run.
    package static func clockBehind(_ last: Instant, at now: Instant) -> ErrorText {
        ErrorText(
            "the clock shows \(now.utcText), which is before the last run (\(last.utcText)); "
                + "nothing was sent",
            help: "set the clock; if it is right, give --dangerous-clock"
        )
    }
}
