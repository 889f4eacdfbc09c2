import DeliveryModel

/// The events of one device in the simulated period, apart from messages.
struct DeviceTimeline: Sendable {
    struct Event: Sendable {
        let at: DeliveryMoment
        let change: DeviceChange
    }

    let platform: DevicePlatform
    let habit: Population.ConnectivityProfile
    private(set) var isOnlineAtStart = true
    private(set) var isDozingAtStart = false
    /// In order of time.
    private(set) var events: [Event] = []
}

/// Generates device events, reproducibly for a seed.
struct DeviceTimelineGenerator: Sendable {
    private let platforms: [(DevicePlatform, upTo: Share)]
    private let habits: [(Population.ConnectivityProfile, upTo: Share)]
    private let population: Population
    private let draws:
        (
            platform: SeededRandom, habit: SeededRandom, doze: SeededRandom, removal: SeededRandom,
            time: SeededRandom, hour: SeededRandom, zone: SeededRandom
        )
    private let start: DeliveryMoment
    private let end: DeliveryMoment
    /// The time zones of the devices, by their milliseconds ahead of UTC.
    private let zones: [(Int64, upTo: Share)]
    private let zoned: [(place: ListPlace, offset: Int64)]

    private static let minute: Int64 = 60_000
    private static let hour: Int64 = 3_600_000
    private static let day: Int64 = 86_400_000

    init(
        for population: Population,
        from start: DeliveryMoment,
        to end: DeliveryMoment,
        draw: SeededRandom
    ) {
        self.population = population
        self.start = start
        self.end = end
        zones = Self.ladder(population.zones.map { (Int64($0.offset) * 1_000, $0.share) })
        zoned = population.zonedDevices.map { zoned in
            (
                ListPlace(zoned.devices, among: population.size, draw: draw),
                Int64(zoned.offset) * 1_000
            )
        }
        platforms = Self.ladder(
            DevicePlatform.allCases.map { ($0, population.platforms[$0]) }
        )
        habits = Self.ladder(
            Population.ConnectivityProfile.allCases.map { ($0, population.habits[$0]) }
        )
        draws = (
            draw.about("platform"), draw.about("habit"), draw.about("doze"),
            draw.about("removal"), draw.about("time"), draw.about("hour"), draw.about("zone")
        )
    }

    /// Returns cumulative shares; the last one takes the remainder.
    private static func ladder<Rung>(_ shares: [(Rung, Share?)]) -> [(Rung, upTo: Share)] {
        var sum = 0
        return shares.compactMap { rung, share in
            guard let share, share.part > 0 else { return nil }
            sum += share.part * 10_000 / share.whole
            return (rung, upTo: Share(basisPoints: sum))
        }
    }

    private static func rung<Rung>(of ladder: [(Rung, upTo: Share)], at number: UInt64) -> Rung? {
        ladder.first { $0.upTo.holds(number) }?.0 ?? ladder.last?.0
    }

    /// Returns a device's events, or only its platform if `isNeeded` is false.
    func life(of device: Int, isNeeded: Bool) -> DeviceTimeline {
        let platform = Self.rung(of: platforms, at: draws.platform.number(of: device)) ?? .android
        guard isNeeded else { return DeviceTimeline(platform: platform, habit: .always) }
        let habit = Self.rung(of: habits, at: draws.habit.number(of: device)) ?? .always
        var day = DayEvents(start: start, end: end)
        let time = draws.time.number(of: device)
        let midnights = midnights(of: device)
        switch habit {
        case .always: break
        case .never: day.isOnline = false
        case .daytime: addDays(midnights, time, to: &day)
        case .nowAndThen: addHours(of: device, midnights, to: &day)
        }
        let dozes =
            platform == .android
            && population.dozing.holds(draws.doze.number(of: device))
        if dozes { addNights(midnights, time, to: &day) }
        let removal = draws.removal.number(of: device)
        if population.uninstalling.holds(removal) {
            let span = UInt64(end.milliseconds - start.milliseconds)
            day.removal = Int64(time.multipliedFullWidth(by: span).high)
        }
        return day.life(on: platform, with: habit)
    }

    /// Adds daytime connectivity; each device shifts both ends by up to 90 minutes.
    private func addDays(_ midnights: [Int64], _ time: UInt64, to day: inout DayEvents) {
        let early = Int64(time % 180) - 90
        let late = Int64(time / 180 % 180) - 90
        for midnight in midnights {
            let wakes = midnight + 7 * Self.hour + early * Self.minute
            let sleeps = midnight + 23 * Self.hour + late * Self.minute
            day.add(from: wakes, to: sleeps, as: \.isOnline)
        }
        day.isOnline = false
    }

    /// Adds one hour of connectivity per day, at a time drawn for each day.
    private func addHours(of device: Int, _ midnights: [Int64], to day: inout DayEvents) {
        for (number, midnight) in midnights.enumerated() {
            let minute = draws.hour.number(of: device * 1_024 + number, below: 23 * 60)
            let begins = midnight + Int64(minute) * Self.minute
            day.add(from: begins, to: begins + Self.hour, as: \.isOnline)
        }
        day.isOnline = false
    }

    /// Adds Doze from about 0:30 to about 6:00.
    private func addNights(_ midnights: [Int64], _ time: UInt64, to day: inout DayEvents) {
        let shift = Int64(time / 32_400 % 60) - 30
        for midnight in midnights {
            let begins = midnight + 30 * Self.minute + shift * Self.minute
            let ends = midnight + 6 * Self.hour + shift * Self.minute
            day.add(from: begins, to: ends, as: \.isDozing)
        }
    }

    /// Milliseconds by which a device's clock is ahead of UTC.
    private func offset(of device: Int) -> Int64 {
        for (place, offset) in zoned where place.contains(device) { return offset }
        return Self.rung(of: zones, at: draws.zone.number(of: device)) ?? 0
    }

    /// The midnights of a device's clock, starting with the day before the start.
    private func midnights(of device: Int) -> [Int64] {
        let offset = offset(of: device)
        let local = start.milliseconds + offset
        let first = local - ((local % Self.day) + Self.day) % Self.day - Self.day
        return stride(from: first, through: end.milliseconds + offset, by: Int(Self.day)).map {
            $0 - offset
        }
    }
}

/// Collects events and determines the initial conditions.
private struct DayEvents {
    let start: DeliveryMoment
    let end: DeliveryMoment
    var isOnline = true
    var removal: Int64?
    private var startsOnline: Bool?
    private var startsDozing = false
    private var events: [DeviceTimeline.Event] = []

    init(start: DeliveryMoment, end: DeliveryMoment) {
        self.start = start
        self.end = end
    }

    /// Adds a period; if it includes the start, it determines the initial condition.
    mutating func add(
        from begin: Int64,
        to end: Int64,
        as kind: WritableKeyPath<DeviceChange, Bool?>
    ) {
        guard end > start.milliseconds, begin < self.end.milliseconds else { return }
        if begin <= start.milliseconds {
            if kind == \.isDozing { startsDozing = true } else { startsOnline = true }
        } else {
            add(true, to: kind, at: begin)
        }
        if end < self.end.milliseconds {
            add(false, to: kind, at: end)
        }
    }

    private mutating func add(
        _ value: Bool,
        to kind: WritableKeyPath<DeviceChange, Bool?>,
        at moment: Int64
    ) {
        var change = DeviceChange()
        change[keyPath: kind] = value
        events.append(.init(at: DeliveryMoment(milliseconds: moment), change: change))
    }

    func life(
        on platform: DevicePlatform,
        with habit: Population.ConnectivityProfile
    ) -> DeviceTimeline {
        var all = events
        if let removal {
            let moment = DeliveryMoment(milliseconds: start.milliseconds + removal)
            all.append(.init(at: moment, change: DeviceChange(isInstalled: false)))
        }
        all.sort { $0.at < $1.at }
        return DeviceTimeline(
            platform: platform,
            habit: habit,
            isOnlineAtStart: startsOnline ?? isOnline,
            isDozingAtStart: startsDozing,
            events: all
        )
    }
}
