import Dispatch

/// The results in the order of the elements, worked out on all cores.
///
/// `grain`: so many are worked out one after the other, and fewer are not worth a thread.
package func mapInParallel<Element: Sendable, Result: Sendable>(
    _ elements: [Element],
    grain: Int = 32,
    _ transform: @Sendable (Element) -> Result
) -> [Result] {
    mapInParallel(elements, grain: grain, each: (), lastFirst: false) { _, element in
        transform(element)
    }
}

/// The same with a tool that is copied for those that are worked out one after the other, and not
/// for every element.
///
/// `lastFirst`: begins with the last elements; where these have just been made, they are still in
/// the cores' own memory.
package func mapInParallel<Element: Sendable, Tool: Sendable, Result: Sendable>(
    _ elements: [Element],
    grain: Int = 32,
    each tool: Tool,
    lastFirst: Bool,
    _ transform: @Sendable (inout Tool, Element) -> Result
) -> [Result] {
    let pieces = (elements.count + grain - 1) / grain
    return [Result](unsafeUninitializedCapacity: elements.count) { buffer, count in
        // Each piece has its own stretch of the buffer, and no other touches it.
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
