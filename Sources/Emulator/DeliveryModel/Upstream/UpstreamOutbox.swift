/// The messages of one device to its app server: a machine without a clock.
///
/// Events and times go in, commands come out. Times must never decrease.
package struct UpstreamOutbox: EmptyInitializable {
    package enum Event: Hashable, Sendable {
        /// The app calls `sendMessage`.
        case send(UpstreamContent, number: Int, on: DevicePlatform)
        /// The client library has a connection to FCM.
        case connected(DeviceRegistration)
        case disconnected
        /// The app server acknowledged a message.
        case acknowledged(number: Int)
        /// The app was removed, with the messages that it had not sent.
        case removed
        case timer
    }

    package enum Command: Hashable, Sendable {
        /// Pass a message on to the app server.
        case deliver(number: Int, UpstreamContent, from: DeviceRegistration)
        /// Stop passing a message on.
        case withdraw(number: Int)
        /// The app's observers are called.
        case call(UpstreamCallback, id: String)
    }

    /// A result of which the app does not know yet.
    private struct WaitingCallback: Hashable {
        let number: Int
        let failure: ClientFailure?
        let decidedAt: DeliveryMoment
        /// Whether FCM responds, which needs a connection.
        let isResponse: Bool
    }

    /// Oldest first: the unfinished ones, and the newest finished ones.
    package private(set) var messages: [UpstreamMessage] = []
    package private(set) var waitingCount = 0
    private var finishedCount = 0
    /// The registration of the app while it has a connection.
    package private(set) var registration: DeviceRegistration?
    private var rate = RateLog([])
    private var callbacks: [WaitingCallback] = []
    private var batchEnd = DeliveryMoment.never
    /// At most the earliest end of an unfinished message.
    private var nextExpiry = DeliveryMoment.never
    private var commands: [Command] = []

    package init() {}

    package var isConnected: Bool { registration != nil }
    package var openCount: Int { messages.count - finishedCount }

    /// The earliest time at which `timer` may have work.
    package var due: DeliveryMoment {
        let needsConnection = !isConnected && callbacks.allSatisfy(\.isResponse)
        return min(nextExpiry, needsConnection ? .never : batchEnd)
    }

    /// `project` counts the messages of all devices.
    package mutating func take(
        _ event: Event,
        at now: DeliveryMoment,
        in project: inout UpstreamRate
    ) -> [Command] {
        finishDue(at: now)
        switch event {
        case .send(let content, let number, let platform):
            let isFull = platform == .android && waitingCount >= UpstreamRules.waitingOnAndroid
            let message = UpstreamMessage(content, number: number, at: now)
            add(message, isFull: isFull, at: now, in: &project)
        case .connected(let registration): connect(registration, at: now, in: &project)
        case .disconnected: registration = nil
        case .acknowledged(let number): acknowledge(number, at: now)
        case .removed: drop(at: now)
        case .timer: break
        }
        forgetFinished()
        defer { commands = [] }
        return commands
    }
}

extension UpstreamOutbox {
    private mutating func add(
        _ message: UpstreamMessage,
        isFull: Bool,
        at now: DeliveryMoment,
        in project: inout UpstreamRate
    ) {
        messages.append(message)
        waitingCount += 1
        let place = messages.count - 1
        if message.content.isInvalid {
            fail(place, .invalidParameters, at: now)
        } else if isConnected {
            submit(place, at: now, in: &project)
        } else if isFull {
            fail(place, .tooManyMessages, at: now)
        } else if message.content.timeToLive == 0 {
            fail(place, .timeToLiveExceeded, at: now)
        } else {
            nextExpiry = min(nextExpiry, message.expiresAt)
        }
    }

    private mutating func connect(
        _ registration: DeviceRegistration,
        at now: DeliveryMoment,
        in project: inout UpstreamRate
    ) {
        self.registration = registration
        // FCM's responses arrive with the connection.
        if !callbacks.isEmpty { batchEnd = max(batchEnd, now) }
        guard waitingCount > 0 else { return }
        for place in messages.indices where messages[place].state == .waiting {
            submit(place, at: now, in: &project)
        }
    }

    /// Passes a message to FCM.
    private mutating func submit(
        _ place: Int,
        at now: DeliveryMoment,
        in project: inout UpstreamRate
    ) {
        guard let registration else { return }
        let content = messages[place].content
        guard !content.isTooLarge(from: registration) else {
            return fail(place, .tooLarge, at: now)
        }
        guard rate.room(within: UpstreamRules.perDevice, from: now) <= now else {
            return fail(place, .deviceRateExceeded, at: now, isResponse: true)
        }
        guard project.hasRoom(at: now) else {
            return fail(place, .projectRateExceeded, at: now, isResponse: true)
        }
        rate.add(at: now, now: now, keeping: UpstreamRules.perDevice.interval)
        project.count(at: now)
        set(place, to: .sent(at: now))
        nextExpiry = min(nextExpiry, messages[place].endOfAttempts)
        commands.append(.deliver(number: messages[place].number, content, from: registration))
        callBack(place, failure: nil, at: now, isResponse: true)
    }

    private mutating func acknowledge(_ number: Int, at now: DeliveryMoment) {
        guard let place = place(of: number), case .sent(let moment) = messages[place].state else {
            return
        }
        set(place, to: .acknowledged(sent: moment, at: now))
    }

    /// `isResponse`: whether FCM refuses the message, and not the client library.
    private mutating func fail(
        _ place: Int,
        _ failure: ClientFailure,
        at now: DeliveryMoment,
        isResponse: Bool = false
    ) {
        set(place, to: .failed(failure, at: now))
        callBack(place, failure: failure, at: now, isResponse: isResponse)
    }

    private mutating func set(_ place: Int, to state: UpstreamMessage.State) {
        if messages[place].state == .waiting { waitingCount -= 1 }
        messages[place].state = state
        if !messages[place].isOpen { finishedCount += 1 }
    }

    private mutating func callBack(
        _ place: Int,
        failure: ClientFailure?,
        at now: DeliveryMoment,
        isResponse: Bool
    ) {
        if callbacks.isEmpty { batchEnd = now.advanced(byMilliseconds: UpstreamRules.batch) }
        callbacks.append(
            WaitingCallback(
                number: messages[place].number,
                failure: failure,
                decidedAt: now,
                isResponse: isResponse
            )
        )
    }

    /// Messages at FCM are delivered even without the app.
    private mutating func drop(at now: DeliveryMoment) {
        registration = nil
        for place in messages.indices where messages[place].state == .waiting {
            set(place, to: .failed(.uninstalled, at: now))
        }
        callbacks = []
        batchEnd = .never
    }

    /// The place of a message, which are in the order of their numbers.
    private func place(of number: Int) -> Int? {
        var (low, high) = (0, messages.count)
        while low < high {
            let middle = (low + high) / 2
            if messages[middle].number < number { low = middle + 1 } else { high = middle }
        }
        return low < messages.count && messages[low].number == number ? low : nil
    }
}

// MARK: - Time

extension UpstreamOutbox {
    /// Performs what is due by `now`, in order of time.
    private mutating func finishDue(at now: DeliveryMoment) {
        while due <= now, due != .never {
            if nextExpiry <= due { expire(at: nextExpiry) } else { callObservers(at: batchEnd) }
        }
    }

    private mutating func expire(at moment: DeliveryMoment) {
        nextExpiry = .never
        for place in messages.indices where messages[place].isOpen {
            let end = messages[place].endOfAttempts
            guard end <= moment else {
                nextExpiry = min(nextExpiry, end)
                continue
            }
            let isSent = messages[place].state != .waiting
            if isSent { commands.append(.withdraw(number: messages[place].number)) }
            fail(place, .timeToLiveExceeded, at: moment, isResponse: isSent)
        }
    }

    private mutating func callObservers(at moment: DeliveryMoment) {
        let ready = isConnected ? callbacks : callbacks.filter { !$0.isResponse }
        callbacks = isConnected ? [] : callbacks.filter(\.isResponse)
        batchEnd = callbacks.isEmpty ? .never : moment
        for waiting in ready {
            guard let place = place(of: waiting.number) else { continue }
            let callback = UpstreamCallback(
                failure: waiting.failure,
                decidedAt: waiting.decidedAt,
                at: moment
            )
            messages[place].callbacks.append(callback)
            commands.append(.call(callback, id: messages[place].content.id))
        }
    }

    /// Removes the oldest finished messages if there are twice as many as stay visible.
    private mutating func forgetFinished() {
        guard finishedCount > 2 * UpstreamRules.finishedMessages else { return }
        let unreported = Set(callbacks.map(\.number))
        let excess = finishedCount - UpstreamRules.finishedMessages
        var removed = 0
        messages.removeAll { message in
            guard removed < excess, !message.isOpen, !unreported.contains(message.number) else {
                return false
            }
            removed += 1
            return true
        }
        finishedCount -= removed
    }
}
