/// What happens next in the simulation.
struct SimulatedEvent: Sendable {
    enum Kind: Sendable {
        /// A transaction reaches the server.
        case arrive(Int)
        /// A transaction commits or fails.
        case execute(Int)
        /// The answer of a transaction reaches its worker.
        case answer(Int)
        /// A worker gives up waiting for an answer.
        case giveUp(Int)
        case wake(process: Int, life: Int)
        /// A request leaves a process.
        case leave(Int)
        /// The answer to a request reaches its process.
        case result(Int)
        case trouble(Int)
        case start(process: Int)
        /// Another transaction of the writer.
        case otherWriting
        /// The service looks for something to do.
        case service
    }

    let time: Int
    let order: Int
    let kind: Kind

    static func < (left: Self, right: Self) -> Bool {
        left.time != right.time ? left.time < right.time : left.order < right.order
    }
}

/// A binary heap of events.
struct EventQueue: Sendable {
    private var heap: [SimulatedEvent] = []
    private var count = 0

    mutating func add(_ kind: SimulatedEvent.Kind, at time: Int) {
        count += 1
        heap.append(SimulatedEvent(time: time, order: count, kind: kind))
        var child = heap.count - 1
        while child > 0 {
            let parent = (child - 1) / 2
            guard heap[child] < heap[parent] else { return }
            heap.swapAt(child, parent)
            child = parent
        }
    }

    mutating func next() -> SimulatedEvent? {
        guard let first = heap.first, let last = heap.popLast() else { return nil }
        guard !heap.isEmpty else { return first }
        heap[0] = last
        var parent = 0
        while true {
            var least = parent
            let left = 2 * parent + 1
            let right = left + 1
            if left < heap.count, heap[left] < heap[least] { least = left }
            if right < heap.count, heap[right] < heap[least] { least = right }
            guard least != parent else { return first }
            heap.swapAt(parent, least)
            parent = least
        }
    }
}
