/// One message on its way to many devices.
struct FanOut: Sendable {
    let id: MessageID
    var contents: PlatformContents
    let isToTopic: Bool
    /// The addressed devices, determined when the message was accepted.
    let recipients: [Int32]
    /// Number of recipients that the fan-out has processed.
    var reached = 0
    /// The time of the next deliveries.
    var next: DeliveryMoment

    var isFinished: Bool { reached >= recipients.count }
}

extension FanOut {
    init(
        of message: EffectiveMessage,
        id: MessageID,
        for target: MessageTarget,
        to recipients: [Int32],
        at now: DeliveryMoment
    ) {
        let origin = MessageOrigin(target, request: message.request)
        self.init(
            id: id,
            contents: PlatformContents(message, origin: origin),
            isToTopic: !target.isRegistration,
            recipients: recipients,
            next: now
        )
    }
}

/// The running fan-outs of a project and the deferred ones.
struct FanOuts: Sendable {
    var running: [FanOut] = []
    var deferred: [FanOut] = []

    var isEmpty: Bool { running.isEmpty && deferred.isEmpty }

    /// The earliest time at which a running fan-out continues.
    var next: DeliveryMoment? { running.lazy.map(\.next).min() }
}

extension DeliveryBackend {
    /// The numbers of running and deferred fan-outs.
    package var fanOutCounts: (running: Int, deferred: Int) {
        (fanOuts.running.count, fanOuts.deferred.count)
    }

    /// Whether FCM accepts one more fan-out, to start now or later.
    package var takesFanOut: Bool {
        !limits.refusesRates || options.excess == .defer
            || fanOuts.running.count < options.fanOutsAtOnce
    }

    /// Returns the number of devices that each running fan-out reaches per second.
    private func share(of count: Int) -> Int { max(1, options.fanOutRate / max(1, count)) }

    /// Starts or defers a fan-out; a started fan-out delivers its first second's share immediately.
    mutating func begin(_ fanOut: FanOut, at now: DeliveryMoment) {
        let isFull = fanOuts.running.count >= options.fanOutsAtOnce
        if isFull, options.excess == .defer { return fanOuts.deferred.append(fanOut) }
        start(fanOut, at: now)
    }

    private mutating func start(_ fanOut: FanOut, at now: DeliveryMoment) {
        var fanOut = fanOut
        reach(&fanOut, count: share(of: fanOuts.running.count + 1), at: now)
        if !fanOut.isFinished { fanOuts.running.append(fanOut) }
    }

    /// Delivers to the next `count` devices, not counting removed devices.
    private mutating func reach(_ fanOut: inout FanOut, count: Int, at now: DeliveryMoment) {
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

    /// Continues the fan-outs whose second has passed, and starts deferred fan-outs if there is
    /// room.
    mutating func goOn(at now: DeliveryMoment) {
        let share = share(of: fanOuts.running.count)
        var running = fanOuts.running
        for place in running.indices where running[place].next <= now {
            reach(&running[place], count: share, at: now)
        }
        running.removeAll(where: \.isFinished)
        fanOuts.running = running
        while !fanOuts.deferred.isEmpty, fanOuts.running.count < options.fanOutsAtOnce {
            start(fanOuts.deferred.removeFirst(), at: now)
        }
    }
}
