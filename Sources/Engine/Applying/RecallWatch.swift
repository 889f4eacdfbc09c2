import CampaignModel
import RunControl
import State
import Synchronization

/// Performs the recalls that are requested before or while a run sends.
///
/// Each recall begins when the requests of its occurrence are answered. Recalls do not wait for each other, or
/// for other sends.
struct RecallWatch: Sendable {
    private let applier: Applier
    private let run: RunID
    /// Raised after the last send of the run.
    private let end: StopSignal

    init(_ applier: Applier, in run: RunID, until end: StopSignal) {
        self.applier = applier
        self.run = run
        self.end = end
    }

    /// How often the state is read.
    private static let interval = Duration.milliseconds(250)
    /// How often the state is read while an occurrence that is taken back still has open requests.
    private static let shortInterval = Duration.milliseconds(20)

    /// Returns what the recalls did, after the last one has ended.
    func perform() async -> ApplyReport {
        let report = SharedReport()
        await withDiscardingTaskGroup { group in
            var isOver = false
            while !isOver {
                isOver = end.isRaised || applier.settings.stop.isRaised
                var waits = false
                do throws(StateStoreError) {
                    for record in try await applier.openRecalls() {
                        guard let sent = record.id.recalled, !applier.settings.stop.isRaised else {
                            continue
                        }
                        guard applier.active.takeBack(sent) else {
                            waits = true
                            continue
                        }
                        group.addTask {
                            let part = await applier.recall(record, in: run)
                            report.merge(part)
                        }
                    }
                } catch {
                    var failed = ApplyReport()
                    failed.error = .state(error)
                    report.merge(failed)
                    return
                }
                if !isOver { await pause(for: waits ? Self.shortInterval : Self.interval) }
            }
        }
        return report.whole
    }

    /// Ends early with the last send of the run.
    private func pause(for length: Duration) async {
        try? await end.pause(for: length)
    }
}

/// What recalls that run at the same time did.
///
/// A class, because their tasks share it.
private final class SharedReport: Sendable {
    private let report = Mutex(ApplyReport())

    var whole: ApplyReport { report.withLock { $0 } }

    func merge(_ part: ApplyReport) { report.withLock { $0.merge(part) } }
}
