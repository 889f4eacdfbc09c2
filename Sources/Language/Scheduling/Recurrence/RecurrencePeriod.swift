import Time

/// The slots of one period of a rule, such as a month.
///
/// These are all times on all days, or the positions among them that `BYSETPOS` selects. The slots
/// are not stored: a year of seconds has 31 million.
struct RecurrencePeriod {
    /// Days since 1970, in ascending order.
    private let days: [Int]
    /// Seconds since midnight, in ascending order.
    private let times: [Int]
    /// Ascending indices among all slots; nil means all.
    private let chosen: [Int]?

    init(days: [Int], times: [Int], positions: [Int]) {
        self.days = days
        self.times = times
        let total = days.count * times.count
        guard !positions.isEmpty else {
            chosen = nil
            return
        }
        let indices = positions.map { $0 > 0 ? $0 - 1 : total + $0 }
        chosen = Set(indices).filter { (0..<total).contains($0) }.sorted()
    }

    static let empty = RecurrencePeriod(days: [], times: [], positions: [])

    var count: Int { chosen?.count ?? days.count * times.count }

    /// Returns the slot at an index from 0 to `count` - 1.
    func slot(_ index: Int) -> CivilDateTime {
        let (day, time) = (chosen?[index] ?? index).quotientAndRemainder(dividingBy: times.count)
        return CivilDateTime(
            date: CivilDate(daysSince1970: days[day]),
            time: CivilTime(secondsSinceMidnight: times[time])
        )
    }

    /// Returns the index of the first slot that is not before `bound`, or the count.
    func index(notBefore bound: CivilDateTime) -> Int {
        var (low, high) = (0, count)
        while low < high {
            let middle = (low + high) / 2
            if slot(middle) < bound { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
