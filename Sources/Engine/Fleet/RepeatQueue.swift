/// Requests to repeat, the earliest first; those of one time in the order in which they came.
struct RepeatQueue: Sendable {
    private struct Entry: Sendable {
        let time: Duration
        let order: Int
        let request: Int

        func isBefore(_ other: Entry) -> Bool {
            time != other.time ? time < other.time : order < other.order
        }
    }

    /// A binary heap.
    private var heap: [Entry] = []
    private var added = 0

    var isEmpty: Bool { heap.isEmpty }

    var count: Int { heap.count }

    /// When the first request may be repeated; nil without any.
    var nextTime: Duration? { heap.first?.time }

    mutating func add(_ request: Int, at time: Duration) {
        added += 1
        heap.append(Entry(time: time, order: added, request: request))
        var child = heap.count - 1
        while child > 0 {
            let parent = (child - 1) / 2
            guard heap[child].isBefore(heap[parent]) else { return }
            heap.swapAt(child, parent)
            child = parent
        }
    }

    /// Removes the first request; nil if none may be repeated yet.
    mutating func next(at now: Duration) -> Int? {
        guard let first = heap.first, first.time <= now, let last = heap.popLast() else {
            return nil
        }
        guard !heap.isEmpty else { return first.request }
        heap[0] = last
        sink()
        return first.request
    }

    private mutating func sink() {
        var parent = 0
        while true {
            var least = parent
            for child in [2 * parent + 1, 2 * parent + 2]
            where child < heap.count && heap[child].isBefore(heap[least]) {
                least = child
            }
            guard least != parent else { return }
            heap.swapAt(parent, least)
            parent = least
        }
    }
}
