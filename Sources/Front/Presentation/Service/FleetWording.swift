package import Fleet

/// What a worker of a fleet reports.
enum FleetWording {
    static func message(_ notice: FleetNotice) -> String {
        switch notice {
        case .lost(let units):
            "Another worker took over \(units.count.counting("work unit")) of this one, whose lease had ended"
        case .possiblyDoubled(let units):
            "A failover lost commits: up to \(units.reduce(0) { $0 + $1.mark }.counting("request")) of "
                + "\(units.count.counting("work unit")) may have been sent twice; `herald status` names "
                + "the sends"
        case .droppedAnswers(let count):
            "\(count.counting("late answer")) had another outcome in the state and "
                + "\(count == 1 ? "was" : "were") not recorded"
        case .formerPrimary(let timeline):
            "A server with the older timeline \(timeline.number) answered, so nothing is sent: check that "
                + "the address of the state leads to the primary server"
        case .failover(let timeline):
            "The server has the timeline \(timeline.number) after a failover; what this worker sent is "
                + "restored"
        case .waitsForStandby:
            "No standby has stored a commit for 30 s, so nothing is sent: check the standbys and their "
                + "replication slots"
        case .farServer(let time):
            "The server of the state answers after \(Int(time / .milliseconds(1))) ms, so this worker sends with gaps: "
                + "run it closer to the server"
        case .struckOff:
            "The other workers removed this one, which had not confirmed a failover; it registers again"
        case .left: "The worker gave back everything and left the fleet"
        }
    }

    static func level(_ notice: FleetNotice) -> ServiceLogEntry.Level {
        switch notice {
        case .left: .info
        case .lost, .droppedAnswers, .failover, .farServer, .struckOff: .warning
        case .possiblyDoubled, .formerPrimary, .waitsForStandby: .error
        }
    }
}

extension ServiceLogEntry {
    /// What the worker of this service reports.
    package static func fleet(_ notice: FleetNotice) -> ServiceLogEntry {
        ServiceLogEntry(
            .fleet,
            FleetWording.message(notice),
            level: FleetWording.level(notice),
            isInText: true
        )
    }

    /// The worker of this service could not begin.
    package static func workerFailed(_ problem: ErrorText) -> ServiceLogEntry {
        ServiceLogEntry(
            .fleet,
            "The worker waits: \(problem.message)",
            level: .error,
            isInText: true
        )
    }
}
