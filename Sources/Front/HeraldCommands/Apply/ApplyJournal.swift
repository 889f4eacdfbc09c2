import Applying
import ArgumentParser
import Presentation
import Synchronization

/// The `--json` events of one apply.
///
/// The last event always reports how the apply ended.
///
/// A class because the report is known only at the end.
final class ApplyJournal: Sendable {
    let events: EventLines
    private let report = Mutex<ApplyReport?>(nil)

    init() throws(CommandFailure) {
        let context = CommandContext.current
        events = EventLines(clock: try context.clock(), write: context.output.write)
    }

    func keep(_ report: ApplyReport?) {
        self.report.withLock { $0 = report }
    }

    fileprivate func end(with code: Int32, error: String?) {
        events.end(report.withLock { $0 }, exitCode: code, error: error)
    }
}

extension ApplyJournal? {
    /// Performs the work and then writes the final event.
    func keeping(_ work: () async throws -> Void) async throws {
        do {
            try await work()
            self?.end(with: 0, error: nil)
        } catch let failure as CommandFailure {
            self?.end(with: failure.exit.rawValue, error: failure.text.message)
            throw failure
        } catch let code as ExitCode {
            self?.end(with: code.rawValue, error: nil)
            throw code
        }
    }
}
