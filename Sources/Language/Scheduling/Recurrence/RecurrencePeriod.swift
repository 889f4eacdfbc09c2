import Time

/// One period of a rule, such as a month: every time on every day, or the positions of these
/// that `BYSETPOS` chooses.
///
/// The slots are not stored: a year of seconds has 31 million.
struct RecurrencePeriod {
    /// Days since 1970, ascending.
    private let days: [Int]
    /// Seconds since midnight, ascending.
    private let times: [Int]
    /// Ascending indices into all the slots; nil for all.
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

    /// The slot of an index from 0 to `count` - 1.
    func slot(_ index: Int) -> CivilDateTime {
        let (day, time) = (chosen?[index] ?? index).quotientAndRemainder(dividingBy: times.count)
        return CivilDateTime(
            date: CivilDate(daysSince1970: days[day]),
            time: CivilTime(secondsSinceMidnight: times[time])
        )
    }

    /// The index of the first slot that is not before `bound`, or the count.
    func index(notBefore bound: CivilDateTime) -> Int {
        var (low, high) = (0, count)
        while low < high {
            let middle = (low + high) / 2
            if slot(middle) < bound { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
