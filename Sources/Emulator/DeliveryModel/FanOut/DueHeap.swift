/// The devices with due work, earliest first.
///
/// A device may have several entries; the model ignores outdated ones when they fall due.
struct DueHeap: Sendable {
    private var entries: [(moment: DeliveryMoment, index: Int32)] = []

    var count: Int { entries.count }
    var first: DeliveryMoment? { entries.first?.moment }

    mutating func insert(_ index: Int, at moment: DeliveryMoment) {
        entries.append((moment, Int32(index)))
        var child = entries.count - 1
        while child > 0 {
            let parent = (child - 1) / 2
            guard entries[child].moment < entries[parent].moment else { return }
            entries.swapAt(child, parent)
            child = parent
        }
    }

    mutating func removeFirst() -> (moment: DeliveryMoment, index: Int)? {
        guard let first = entries.first else { return nil }
        let last = entries.removeLast()
        if !entries.isEmpty {
            entries[0] = last
            sink()
        }
        return (first.moment, Int(first.index))
    }

    private mutating func sink() {
        var parent = 0
        while true {
            var child = 2 * parent + 1
            guard child < entries.count else { return }
            let isRightEarlier =
                child + 1 < entries.count && entries[child + 1].moment < entries[child].moment
            if isRightEarlier { child += 1 }
            guard entries[child].moment < entries[parent].moment else { return }
            entries.swapAt(child, parent)
            parent = child
        }
    }
}
