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
    mapInParallel(elements, grain: grain, each: (), lastFirst: false) { _, element in
        transform(element)
    }
}

/// Like the other `mapInParallel`, with a tool that is copied once per task instead of per element.
///
/// `lastFirst`: Begins with the last elements; if they were just created, they are still in the
/// cores' caches.
package func mapInParallel<Element: Sendable, Tool: Sendable, Result: Sendable>(
    _ elements: [Element],
    grain: Int = 32,
    each tool: Tool,
    lastFirst: Bool,
    transform: @Sendable (inout Tool, Element) -> Result
) -> [Result] {
    let pieces = (elements.count + grain - 1) / grain
    return [Result](unsafeUninitializedCapacity: elements.count) { buffer, count in
        // Each piece has its own part of the buffer, which no other piece accesses.
        nonisolated(unsafe) let slots = buffer
        DispatchQueue.concurrentPerform(iterations: pieces) { piece in
            var tool = tool
            let first = (lastFirst ? pieces - 1 - piece : piece) * grain
            for place in first..<min(first + grain, elements.count) {
                slots.initializeElement(at: place, to: transform(&tool, elements[place]))
            }
        }
        count = elements.count
    }
}
