import Dispatch
import Synchronization

/// The results in the order of the elements, worked out on all cores.
///
/// Few elements are not worth a thread: they are worked out here.
package func mapInParallel<Element: Sendable, Result: Sendable>(
    _ elements: [Element],
    _ transform: @Sendable (Element) -> Result
) -> [Result] {
    let grain = 32
    guard elements.count > grain else { return elements.map(transform) }
    let pieces = (elements.count + grain - 1) / grain
    let results = Mutex([[Result]](repeating: [], count: pieces))
    DispatchQueue.concurrentPerform(iterations: pieces) { piece in
        let end = min((piece + 1) * grain, elements.count)
        let found = elements[piece * grain..<end].map(transform)
        results.withLock { $0[piece] = found }
    }
    return results.withLock { Array($0.joined()) }
}
