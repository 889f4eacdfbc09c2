import Dispatch

/// Computes results on all cores and returns them in the order of the elements.
///
/// `grain`: The number of elements that one task computes sequentially; fewer are not worth a
/// thread.
package func mapInParallel<Element: Sendable, Result: Sendable>(
    _ elements: [Element],
    grain: Int = 32,
    transform: @Sendable (Element) -> Result
) -> [Result] {
    mapInParallel(elements, in: ParallelPieces(grain: grain), each: ()) { _, element in
        transform(element)
    }
}

/// The division of elements into tasks.
package struct ParallelPieces: Sendable {
    /// The number of elements that one task computes sequentially; fewer are not worth a thread.
    package let grain: Int
    /// Whether to begin with the last elements; if they were just created, they are still in the
    /// cores' caches.
    let lastFirst: Bool

    package init(grain: Int = 32, lastFirst: Bool = false) {
        self.grain = grain
        self.lastFirst = lastFirst
    }
}

/// Like the other `mapInParallel`, with a tool that is copied once per task instead of per element.
package func mapInParallel<Element: Sendable, Tool: Sendable, Result: Sendable>(
    _ elements: [Element],
    in parts: ParallelPieces,
    each tool: Tool,
    transform: @Sendable (inout Tool, Element) -> Result
) -> [Result] {
    let grain = parts.grain
    let pieces = (elements.count + grain - 1) / grain
    return [Result](unsafeUninitializedCapacity: elements.count) { buffer, count in
        // Each piece has its own part of the buffer, which no other piece accesses.
        nonisolated(unsafe) let slots = buffer
        DispatchQueue.concurrentPerform(iterations: pieces) { piece in
            var tool = tool
            let first = (parts.lastFirst ? pieces - 1 - piece : piece) * grain
            for place in first..<min(first + grain, elements.count) {
                slots.initializeElement(at: place, to: transform(&tool, elements[place]))
            }
        }
        count = elements.count
    }
}
