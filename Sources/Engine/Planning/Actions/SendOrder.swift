import Synchronization

/// The sends of a plan in order, once they are needed.
///
/// A class, because all copies of the plan share it.
final class SendOrder: Sendable {
    private let known = Mutex<[SendStep]?>(nil)

    /// `make`: returns the sends in order.
    func sends(_ make: () -> [SendStep]) -> [SendStep] {
        if let known = known.withLock(\.self) { return known }
        let made = make()
        known.withLock { $0 = made }
        return made
    }
}
