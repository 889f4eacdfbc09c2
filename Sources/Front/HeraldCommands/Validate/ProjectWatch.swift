import CampaignLoading
import CampaignModel
import Presentation
import RegistrationLists
import RunControl

/// Implements `herald validate --watch`: checks now and after each change of the project's files.
struct ProjectWatch {
    let session: Session

    /// The polling interval: short enough to seem immediate, long enough to cost almost nothing.
    private static let interval = Duration.milliseconds(300)
    /// After this many polls, checks a file even if it keeps changing.
    private static let mostLooks = 10

    /// `check` returns the project as far as it could be read.
    ///
    /// - Throws: Always the exit code of an interruption.
    func run(check: () -> Project?) async throws {
        let stop = StopSignal()
        let signals = InterruptHandler(stop, says: .watching)
        defer { signals.cancel() }
        var lists: [String] = []
        while !stop.isRaised {
            var seen = snapshot(lists)
            if let project = check() {
                lists = project.lists.flatMap { $0.watchedPaths(in: session.options.directory) }
                seen.add(lists)
            }
            Output.message(WatchWording.watching(seen.count))
            guard let changed = await change(from: seen, lists: lists, stop: stop) else { break }
            begin(after: changed.differences(from: seen))
        }
        throw ExitReason.interrupted.code
    }

    /// Waits for a change and until files are stable again.
    ///
    /// Returns nil after an interruption.
    private func change(
        from seen: ProjectSnapshot,
        lists: [String],
        stop: StopSignal
    ) async -> ProjectSnapshot? {
        var last = seen
        var looks = 0
        while !stop.isRaised {
            try? await Task.sleep(for: Self.interval)
            let now = snapshot(lists)
            if now != seen { looks += 1 }
            if looks > 0, now == last || looks > Self.mostLooks { return now }
            last = now
        }
        return nil
    }

    private func snapshot(_ lists: [String]) -> ProjectSnapshot {
        ProjectSnapshot(of: session.options.directory, lists: lists)
    }

    /// Clears a terminal, or writes a separator line to any other output.
    private func begin(after changes: [String]) {
        let context = session.context
        guard !context.output.isTerminal || context.variables["TERM"] == "dumb" else {
            return Output.data("\u{1B}[H\u{1B}[2J\u{1B}[3J")
        }
        Output.data(WatchWording.changed(changes))
    }
}
