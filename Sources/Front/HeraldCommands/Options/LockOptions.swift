import ArgumentParser
import Presentation
import State

/// The option for the time that a writing command waits for the lock.
struct LockOptions: ParsableArguments {
    @Option(
        name: .customLong("lock-timeout"),
        help: "Seconds to wait for another run that writes this state."
    )
    var timeout = 60

    func validate() throws {
        guard (0...86_400).contains(timeout) else {
            throw ValidationError("a time-out must be from 0 to 86400 seconds")
        }
    }
}

/// Performs `work` as the only writer of a state.
///
/// - Throws: What `work` throws, or a failure that names the holder if the lock stays held.
func locked<Value>(
    _ store: any ControlStore,
    for worker: Worker,
    waiting seconds: Int,
    work: () async throws(CommandFailure) -> Value
) async throws(CommandFailure) -> Value {
    try await lock(store, for: worker, waiting: seconds)
    return try await unlocking(store, work: work)
}

/// Performs `work` under the writer's lock, and releases the lock at the end.
func unlocking<Value>(
    _ store: any ControlStore,
    work: () async throws(CommandFailure) -> Value
) async throws(CommandFailure) -> Value {
    let result: Result<Value, CommandFailure>
    do throws(CommandFailure) {
        result = .success(try await work())
    } catch {
        result = .failure(error)
    }
    await store.unlock()
    return try result.get()
}

/// How long a command waits silently: most holders release the lock within that time.
private let silence = Duration.milliseconds(500)

/// Acquires the lock.
///
/// Reports the holder if the lock stays held.
func lock(
    _ store: any ControlStore,
    for worker: Worker,
    waiting seconds: Int
) async throws(CommandFailure) {
    do throws(StateStoreError) {
        do throws(StateStoreError) {
            return try await store.lock(for: worker, waiting: min(.seconds(seconds), silence))
        } catch {
            guard case .locked(let holder) = error, seconds > 0 else { throw error }
            Output.message(StateNoticeWording.waiting(for: holder, atMost: seconds))
        }
        try await store.lock(for: worker, waiting: .seconds(seconds))
    } catch {
        throw CommandFailure(error)
    }
}
