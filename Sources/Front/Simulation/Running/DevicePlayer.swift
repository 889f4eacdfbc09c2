import DeliveryModel

/// Simulates devices one by one through the whole period.
struct DevicePlayer: Sendable {
    /// In the order of their first sends.
    let campaigns: [String]
    /// The arms of all experiments.
    let arms: [Arm]
    let clock: SimulationClock
    private let simulation: SimulationRun
    private let courses: [FanOutSchedule.Course]
    private let campaignOfSend: [Int]
    /// The place in `arms` of the first arm of each send's experiment; nil without one.
    private let armsOfSend: [Int?]
    /// The messages of each send.
    private let messages: [[[DevicePlatform: ArrivingMessage]]]

    struct Arm: Hashable, Sendable {
        /// The place in `campaigns`.
        let campaign: Int
        let name: String
    }

    private static let hour: Int64 = 3_600_000
    /// Hours since the last contact of a device that is never online.
    private static let absence: Int64 = 45 * 24

    init(for simulation: SimulationRun, courses: [FanOutSchedule.Course]) {
        self.simulation = simulation
        self.courses = courses
        var campaigns: [String] = []
        campaignOfSend = simulation.sends.map { send in
            if let place = campaigns.firstIndex(of: send.campaign) { return place }
            campaigns.append(send.campaign)
            return campaigns.count - 1
        }
        self.campaigns = campaigns
        var arms: [Arm] = []
        armsOfSend = zip(simulation.sends, campaignOfSend).map { send, campaign in
            guard let own = send.experiment?.arms, !own.isEmpty else { return nil }
            if let place = arms.firstIndex(where: { $0.campaign == campaign }) { return place }
            arms += own.map { Arm(campaign: campaign, name: $0.name) }
            return arms.count - own.count
        }
        self.arms = arms
        messages = simulation.sends.enumerated().map { number, send in
            send.messages.map { Self.arriving($0, of: send, id: MessageID(String(number))) }
        }
        clock = SimulationClock(
            from: simulation.start,
            to: simulation.end,
            offset: simulation.population.zones.first?.offset ?? 0
        )
    }

    private static func arriving(
        _ message: EffectiveMessage,
        of send: SimulatedSend,
        id: MessageID
    ) -> [DevicePlatform: ArrivingMessage] {
        var contents = PlatformContents(message)
        return Dictionary(
            uniqueKeysWithValues: DevicePlatform.allCases.map { platform in
                let shared = contents.content(for: platform)
                let message = ArrivingMessage(
                    id: id,
                    shared: shared,
                    on: platform,
                    package: nil,
                    isToTopic: send.audience.isFanOut,
                    isForPlatform: !shared.content.isEmpty || contents.isEmptyForAll
                )
                return (platform, message)
            }
        )
    }

    var emptyTally: SimulationTally {
        SimulationTally(campaigns: campaigns.count, arms: arms.count, hours: clock.hours)
    }

    func play(_ piece: SimulationRun.Piece) -> SimulationTally {
        var tally = emptyTally
        var next = piece.first
        var book = DeviceBook(sends: simulation.sends.count, days: clock.days)
        for device in piece.devices {
            book.begin(device)
            for send in simulation.sends.indices
            where simulation.memberships[send].contains(device) {
                book.arrivals.append((courses[send].moment(of: next[send]), send))
                next[send] += 1
            }
            let life = simulation.lives.life(of: device, isNeeded: !book.arrivals.isEmpty)
            tally.devices[life.platform, default: 0] += 1
            if !book.arrivals.isEmpty { play(through: life, book: &book, tally: &tally) }
            tally.pressure.count(days: book.days)
        }
        return tally
    }

    private func play(
        through life: DeviceTimeline,
        book: inout DeviceBook,
        tally: inout SimulationTally
    ) {
        book.arrivals.sort { ($0.0, $0.1) < ($1.0, $1.1) }
        var machine = machine(of: book.device, life: life)
        var events = life.events[...]
        for (moment, send) in book.arrivals {
            guard moment < simulation.end else {
                book.outcomes[send] = .pending
                continue
            }
            while let event = events.first, event.at <= moment {
                events.removeFirst()
                machine.change(
                    event.change,
                    at: event.at,
                    under: options,
                    reportingTo: &book.reports
                )
            }
            arrive(send, at: moment, on: &machine, book: &book)
        }
        for event in events {
            machine.change(event.change, at: event.at, under: options, reportingTo: &book.reports)
        }
        machine.advance(to: simulation.end, under: options, reportingTo: &book.reports)
        settle(&book, into: &tally)
    }

    private var options: DeliveryOptions { simulation.options }

    /// Delivers a message unless FCM no longer accepts the registration: list sends are then
    /// rejected, and topics no longer include the device.
    private func arrive(
        _ send: Int,
        at moment: DeliveryMoment,
        on machine: inout DeviceMachine,
        book: inout DeviceBook
    ) {
        machine.advance(to: moment, under: options, reportingTo: &book.reports)
        let number = simulation.memberships[send].message(for: book.device)
        guard machine.isRegistered, let message = messages[send][number][machine.platform] else {
            book.outcomes[send] = .droppedUnregistered
            return
        }
        machine.arrive(message, at: moment, under: options, reportingTo: &book.reports)
    }

    private func machine(of device: Int, life: DeviceTimeline) -> DeviceMachine {
        var conditions = DeviceConditions(isOnline: life.isOnlineAtStart)
        conditions.isDozing = life.isDozingAtStart
        let start = simulation.start.milliseconds
        let away = life.habit == .never ? Self.absence * Self.hour : 0
        return DeviceMachine(
            platform: life.platform,
            conditions: conditions,
            lastSeen: DeliveryMoment(milliseconds: start - away),
            salt: UInt64(device)
        )
    }

    /// Adds the final outcome of each message to the tally: its last report counts.
    private func settle(_ book: inout DeviceBook, into tally: inout SimulationTally) {
        for case .message(let id, let outcome, _, let moment) in book.reports {
            guard let send = Int(id.text) else { continue }
            book.outcomes[send] = outcome
            guard outcome == .delivered else { continue }
            let campaign = campaignOfSend[send]
            let due = simulation.sends[send].due.milliseconds
            tally.delays[campaign].count(moment.milliseconds - due)
            tally.hours[campaign][clock.hour(of: moment)] += 1
            book.days[clock.day(of: moment)] += 1
        }
        for (_, send) in book.arrivals {
            tally.outcomes[campaignOfSend[send]].count(book.outcomes[send])
            if let first = armsOfSend[send] {
                let arm = first + simulation.memberships[send].message(for: book.device)
                tally.arms[arm].count(book.outcomes[send])
            }
        }
    }
}

/// Buffers for the simulation of one device, reused for the next device.
private struct DeviceBook {
    private(set) var device = 0
    var arrivals: [(DeliveryMoment, Int)] = []
    var reports: [DeliveryReport] = []
    /// Indexed by the number of the send.
    var outcomes: [MessageOutcome]
    var days: [Int]

    init(sends: Int, days: Int) {
        outcomes = Array(repeating: .pending, count: sends)
        self.days = Array(repeating: 0, count: days)
    }

    mutating func begin(_ device: Int) {
        self.device = device
        arrivals.removeAll(keepingCapacity: true)
        reports.removeAll(keepingCapacity: true)
        for day in days.indices { days[day] = 0 }
    }
}
