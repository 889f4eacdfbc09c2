import ArgumentParser
import Presentation
import State

/// The option for the time that a writing command waits for the lock.
struct LockOptions: ParsableArguments {
    @Option(
        name: .customLong("lock-timeout"),
        help: "Seconds to wait for another run that is writing this state."
    )
    var timeout = 60

    func validate() throws {
        guard (0...86_400).contains(timeout) else {
            throw ValidationError("a time-out is from 0 to 86400 seconds")
        }
    }
}

/// Acquires the lock.
///
/// Reports the holder if the lock stays held.
func locking(
    _ store: any StateStore,
    for worker: Worker,
    waiting seconds: Int
) async throws(CommandFailure) {
    do throws(StateStoreError) {
        try await store.lock(for: worker, waiting: .seconds(seconds))
    } catch {
        if case .locked = error { throw CommandFailure(ErrorText(error), exit: .locked) }
        throw CommandFailure(ErrorText(error))
    }
}
