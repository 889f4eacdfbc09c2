import CampaignModel
import JSON
import State

/// Declares the JSON of the workers of a fleet and of what they send.
enum FleetJSON {
    static let fleet = JSONShape<FleetOverview>(
        "Workers that send from a state in PostgreSQL.",
        [
            .required(
                "workers",
                .list(of: .object(worker)),
                about: "Registered workers, in the order of their registrations."
            ) { $0.workers },
            .required(
                "possibly_doubled",
                .list(of: .object(doubled)),
                about: "Requests that two workers may have sent after a failover."
            ) { $0.doubled },
        ]
    )

    private static let worker = JSONShape<WorkerOverview>(
        "A worker.",
        [
            .required("host", .text, about: "Host.") { $0.host },
            .required("process", .integer, about: "Process ID.") { $0.processID },
            .required("format", .integer, about: "Format of the state that its program writes.") {
                $0.format
            },
            .required("beat_seconds", .count, about: "Seconds since its last beat.") {
                $0.silence
            },
            .required(
                "lease_ended",
                .flag,
                about: "Whether other workers may take over its work units."
            ) { $0.isLeaseOver },
            .required(
                "timeline",
                .openChoice,
                about: "Whether it has confirmed the timeline of the server."
            ) { TimelineName($0.timeline) },
            .required("units", .count, about: "Its work units that are not finished.") {
                $0.units
            },
            .required("sends_per_minute", .count, about: "Sends that it may make now.") {
                $0.sendsPerMinute
            },
            .required(
                "permits",
                .count,
                about: "Number of its requests that may be without an answer."
            ) { $0.permits },
        ]
    )

    private enum TimelineName: String, CaseIterable {
        case confirmed
        /// It cannot have sent what a failover lost.
        case notNeeded = "not_needed"
        /// No worker claims a work unit until it has.
        case awaited

        init(_ timeline: WorkerOverview.TimelineStatus) {
            switch timeline {
            case .confirmed: self = .confirmed
            case .unneeded: self = .notNeeded
            case .awaited: self = .awaited
            }
        }
    }

    static let occurrence = JSONShape<EntrustedOccurrence>(
        "An occurrence that a fleet sends.",
        [
            .required("sent", .count, about: "Requests that may have been sent.") { $0.sent },
            .required("sendable", .count, about: "Requests that are not left out.") {
                $0.sendable
            },
            .required("workers", .count, about: "Workers that have a work unit of it.") {
                $0.workers
            },
            .required("units", .object(units)) { $0.units },
            .required("recalled", .flag, about: "Whether workers give it back to the service.") {
                $0.isRecalled
            },
            .required("problem", .nullable(.text), about: "Why the fleet stopped.") { $0.problem },
            .required(
                "held",
                .flag,
                about: "Whether a worker that may have sent requests is gone after a failover."
            ) { $0.isHeld },
        ]
    )

    private static let units = JSONShape<EntrustedOccurrence.Units>(
        "Work units whose outcomes are not recorded yet.",
        [
            .required("free", .count, about: "Units that no worker has.") { $0.free },
            .required("owned", .count, about: "Units that a worker has.") { $0.owned },
            .required("finished", .count, about: "Finished units.") { $0.finished },
        ]
    )

    private static let doubled = JSONShape<DoubledRequests>(
        "Requests of an occurrence.",
        [
            .required("occurrence", .occurrence, about: "campaign/slot/revision") {
                $0.occurrence
            },
            .required("requests", .count, about: "Number of requests.") { $0.count },
        ]
    )
}
