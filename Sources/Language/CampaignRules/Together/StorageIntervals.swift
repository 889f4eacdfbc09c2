/// The time during which a message waits for an offline device.
struct StorageInterval {
    let campaign: Int
    let key: Int
    /// In seconds since 1970; at `end` it no longer waits.
    let start: Int64
    var end: Int64
}

/// Messages that wait for a device, in ascending order of their start.
struct StorageIntervals {
    let stays: [StorageInterval]

    /// Returns the intervals that raise the number of waiting messages above `limit`: the first of
    /// each stretch.
    func overflows(above limit: Int) -> [Int] {
        guard stays.count > limit else { return [] }
        let ends = stays.map(\.end).sorted()
        var found: [Int] = []
        var (ended, waiting, isOver) = (0, 0, false)
        for (number, stay) in stays.enumerated() {
            while ended < ends.count, ends[ended] <= stay.start {
                ended += 1
                waiting -= 1
            }
            waiting += 1
            if waiting <= limit {
                isOver = false
            } else if !isOver {
                isOver = true
                found.append(number)
            }
        }
        return found
    }

    /// Returns the latest intervals that still last when this one begins, each of another campaign.
    func others(at number: Int, count: Int) -> [StorageInterval] {
        var campaigns: Set = [stays[number].campaign]
        var found: [StorageInterval] = []
        for other in stays[..<number].reversed() where found.count < count {
            guard other.end > stays[number].start, campaigns.insert(other.campaign).inserted
            else { continue }
            found.append(other)
        }
        return found
    }
}
