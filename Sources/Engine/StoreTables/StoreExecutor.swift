import Dispatch

/// Runs the jobs of one store on a serial queue, in the order in which they arrive.
///
/// A class, because an executor is known by its identity.
package final class StoreExecutor: SerialExecutor {
    private let queue = DispatchQueue(label: "herald.store")

    package init() {}

    package func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async { [self] in job.runSynchronously(on: asUnownedSerialExecutor()) }
    }
}
