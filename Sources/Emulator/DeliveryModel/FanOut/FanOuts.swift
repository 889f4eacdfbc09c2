/// One message on its way to many devices.
struct FanOut: Sendable {
    let id: MessageID
    var contents: PlatformContents
    let isToTopic: Bool
    /// Whom it is for, decided when it was accepted.
    let recipients: [Int32]
    /// So many have it.
    var reached = 0
    /// When the next of them get it.
    var next: DeliveryMoment

    var isFinished: Bool { reached >= recipients.count }
}

/// The fan-outs of a project that run, and those that wait for one to end.
struct FanOuts: Sendable {
    var running: [FanOut] = []
    var deferred: [FanOut] = []

    var isEmpty: Bool { running.isEmpty && deferred.isEmpty }

    /// The next moment at which one goes on; of several the one that was accepted first.
    var next: DeliveryMoment? { running.lazy.map(\.next).min() }
}

extension DeliveryBackend {
    /// How many fan-outs have not reached everybody, and how many have not begun.
    package var fanOutCounts: (running: Int, deferred: Int) {
        (fanOuts.running.count, fanOuts.deferred.count)
    }

    /// Whether one more fan-out may begin now, or is taken on to begin later.
    package var takesFanOut: Bool {
        !limits.refusesRates || options.excess == .defer
            || fanOuts.running.count < options.fanOutsAtOnce
    }

    /// What each of the running fan-outs reaches in a second.
    private func share(of count: Int) -> Int { max(1, options.fanOutRate / max(1, count)) }

    /// Begins a fan-out: the first second's share of it gets the message at once.
    mutating func begin(_ fanOut: FanOut, at now: DeliveryMoment) {
        let isFull = fanOuts.running.count >= options.fanOutsAtOnce
        if isFull, options.excess == .defer { return fanOuts.deferred.append(fanOut) }
        start(fanOut, at: now)
    }

    private mutating func start(_ fanOut: FanOut, at now: DeliveryMoment) {
        var fanOut = fanOut
        reach(&fanOut, share(of: fanOuts.running.count + 1), at: now)
        if !fanOut.isFinished { fanOuts.running.append(fanOut) }
    }

    /// Delivers to the next `count` devices; those that were removed since don't count.
    private mutating func reach(_ fanOut: inout FanOut, _ count: Int, at now: DeliveryMoment) {
        var left = count
        while left > 0, !fanOut.isFinished {
            let index = Int(fanOut.recipients[fanOut.reached])
            fanOut.reached += 1
            guard !memories[index].isGap else { continue }
            left -= 1
            if memories[index].isRegistered { deliver(&fanOut, to: index, at: now) }
        }
        fanOut.next = now.advanced(byMilliseconds: 1_000)
    }

    private mutating func deliver(
        _ fanOut: inout FanOut,
        to index: Int,
        at now: DeliveryMoment
    ) {
        deliver(&fanOut.contents, id: fanOut.id, isToTopic: fanOut.isToTopic, to: index, at: now)
    }

    /// Lets the fan-outs go on whose second has passed, and begins those that have waited for one
    /// to end.
    mutating func goOn(at now: DeliveryMoment) {
        let share = share(of: fanOuts.running.count)
        var running = fanOuts.running
        for place in running.indices where running[place].next <= now {
            reach(&running[place], share, at: now)
        }
        running.removeAll(where: \.isFinished)
        fanOuts.running = running
        while !fanOuts.deferred.isEmpty, fanOuts.running.count < options.fanOutsAtOnce {
            start(fanOuts.deferred.removeFirst(), at: now)
        }
    }
}
