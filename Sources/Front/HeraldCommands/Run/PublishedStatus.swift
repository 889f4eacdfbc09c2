import Service
import Synchronization

/// The status of a service, which several threads change and read.
///
/// A class, because they share it.
final class PublishedStatus: Sendable {
    private let content: Mutex<ServiceStatus>

    init(_ status: ServiceStatus) {
        content = Mutex(status)
    }

    var status: ServiceStatus { content.withLock { $0 } }

    @discardableResult
    func update<Value: Sendable>(_ change: (inout ServiceStatus) -> Value) -> Value {
        content.withLock { change(&$0) }
    }
}
