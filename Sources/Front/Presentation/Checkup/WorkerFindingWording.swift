package import Preflight
package import State

/// The findings of `herald doctor` about the workers that send from a state.
extension CheckupFinding {
    /// One finding if all is well, otherwise one for each kind of warning; empty without workers.
    package static func workers(_ workers: [WorkerOverview]) -> [CheckupFinding] {
        guard !workers.isEmpty else { return [] }
        let warnings = [
            silence(of: workers.filter(\.isSilent)),
            timeline(of: workers.filter { $0.timeline == .awaited }),
            format(of: workers.filter(\.isOfOtherFormat)),
        ].compactMap(\.self)
        guard warnings.isEmpty else { return warnings }
        let count = workers.count
        let verb = count == 1 ? "is" : "are"
        return [
            .ok(
                .workers,
                seen: "\(count.counting("worker")) \(verb) registered; the last beat is at most "
                    + "\(WorkerOverview.longestSilence) s old"
            )
        ]
    }

    private static func silence(of workers: [WorkerOverview]) -> CheckupFinding? {
        warning(
            workers,
            seen: "no beat for more than \(WorkerOverview.longestSilence) s",
            wayOut: "check whether the processes run and reach the server; other workers take over "
                + "their work units 15 s after the last beat"
        ) { MomentWording.length($0.silence) }
    }

    private static func timeline(of workers: [WorkerOverview]) -> CheckupFinding? {
        warning(
            workers,
            seen: "no confirmation of the server's timeline after a failover, so that no worker "
                + "begins a work unit",
            wayOut: "wait a minute; then other workers remove the ones that are gone"
        ) { _ in nil }
    }

    private static func format(of workers: [WorkerOverview]) -> CheckupFinding? {
        warning(
            workers,
            seen: "another format of the state than that of this program",
            wayOut: "run the same version of Herald on all machines"
        ) { "format \($0.format)" }
    }

    /// `detail`: of a worker; nil if it has none.
    private static func warning(
        _ workers: [WorkerOverview],
        seen: String,
        wayOut: String,
        detail: (WorkerOverview) -> String?
    ) -> CheckupFinding? {
        guard !workers.isEmpty else { return nil }
        let named = workers.prefix(3).map { worker in
            let end = detail(worker).map { " (\($0))" } ?? ""
            return "process \(worker.processID) on \(worker.host)\(end)"
        }
        let more = workers.count - named.count
        let names = named + (more > 0 ? ["\(more.grouped) more"] : [])
        return CheckupFinding(
            .workers,
            verdict: .warning,
            seen: "\(seen): \(names.joined(separator: ", "))",
            wayOut: wayOut
        )
    }
}
