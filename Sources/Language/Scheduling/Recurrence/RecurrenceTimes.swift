import Time

/// The times of day of a rule's slots.
struct RecurrenceTimes {
    private let frequency: RecurrenceFrequency
    /// For periods of a day or longer, all times of a day.
    ///
    /// For shorter periods, the offsets from the period's beginning.
    private let seconds: [Int]
    private let hours: Set<Int>?
    private let minutes: Set<Int>?
    /// Whether no period has a time.
    let areEmpty: Bool

    /// Values below the frequency that the rule omits come from its start.
    init(_ rule: RecurrenceRule) {
        frequency = rule.frequency
        hours = rule.hours.map { Set($0) }
        minutes = rule.minutes.map { Set($0) }
        let ofHour = rule.hours ?? [rule.start.time.hour]
        let ofMinute = rule.minutes ?? [rule.start.time.minute]
        let ofSecond = rule.seconds ?? [rule.start.time.second]
        seconds =
            switch rule.frequency {
            case .minutely: ofSecond
            case .hourly: Self.products(ofMinute, times: 60, plus: ofSecond)
            case .daily, .weekly, .monthly, .yearly:
                Self.products(
                    ofHour,
                    times: 3600,
                    plus: Self.products(ofMinute, times: 60, plus: ofSecond)
                )
            }
        areEmpty = !Self.reachesATime(rule)
    }

    private static func products(_ large: [Int], times size: Int, plus small: [Int]) -> [Int] {
        large.flatMap { part in small.map { part * size + $0 } }
    }

    /// Returns seconds since midnight; empty if the period is an hour or minute that does not
    /// match.
    func ofPeriod(_ index: Int) -> [Int] {
        switch frequency {
        case .daily, .weekly, .monthly, .yearly: return seconds
        case .hourly:
            let hour = floorDivide(index, by: 24).remainder
            return isMeant(hour: hour) ? seconds.map { hour * 3600 + $0 } : []
        case .minutely:
            let minute = floorDivide(index, by: 1440).remainder
            guard isMeant(hour: minute / 60), minutes?.contains(minute % 60) ?? true else {
                return []
            }
            return seconds.map { minute * 60 + $0 }
        }
    }

    private func isMeant(hour: Int) -> Bool { hours?.contains(hour) ?? true }

    /// Whether steps of the interval ever reach a matching hour or minute.
    ///
    /// The steps reach exactly the places of a day whose difference from the start is a multiple of
    /// the greatest common divisor of interval and day.
    private static func reachesATime(_ rule: RecurrenceRule) -> Bool {
        let hours = rule.hours ?? Array(0...23)
        switch rule.frequency {
        case .daily, .weekly, .monthly, .yearly: return true
        case .hourly:
            let step = greatestCommonDivisor(rule.interval, 24)
            return hours.contains { ($0 - rule.start.time.hour).isMultiple(of: step) }
        case .minutely:
            let step = greatestCommonDivisor(rule.interval, 1440)
            let start = rule.start.time.hour * 60 + rule.start.time.minute
            return hours.contains { hour in
                (rule.minutes ?? Array(0...59)).contains {
                    (hour * 60 + $0 - start).isMultiple(of: step)
                }
            }
        }
    }
}

private func greatestCommonDivisor(_ first: Int, _ second: Int) -> Int {
    second == 0 ? first : greatestCommonDivisor(second, first % second)
}
