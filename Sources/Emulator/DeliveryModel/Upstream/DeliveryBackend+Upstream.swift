/// Why the emulator takes no message of an app.
package enum UpstreamRefusal: Error, Hashable, Sendable {
    /// The client SDK for the web cannot send messages.
    case onWeb
    case notInstalled
    /// The emulator stores no more unfinished messages.
    case tooManyMessages
}

/// The upstream messages of a project.
struct UpstreamProject: Sendable {
    var rate = UpstreamRate()
    var queue = UpstreamQueue()
    var lastNumber = 0
    /// The number of unfinished messages of all devices.
    var openCount = 0
    var acknowledgedCount = 0
    var failedCount = 0
    /// The number of orders to drain the connections of app servers.
    var drains = 0
    /// The sender ID of the project; nil if it is not known.
    var sender: String?
}

extension DeliveryBackend {
    /// The messages that the app servers have not acknowledged.
    package var upstreamQueue: UpstreamQueue { upstream.queue }
    /// The number of orders to drain the connections of app servers.
    package var upstreamDrains: Int { upstream.drains }

    /// The sender ID to which apps may send; nil for any.
    package var upstreamSender: String? {
        get { upstream.sender }
        set { upstream.sender = newValue }
    }

    package mutating func drainAppServers() { upstream.drains += 1 }

    /// Returns why a device cannot send now, or nil.
    package func upstreamRefusal(of name: String) -> UpstreamRefusal? {
        guard let device = device(named: name) else { return nil }
        if device.platform == .web { return .onWeb }
        if !device.isInstalled { return .notInstalled }
        return upstream.openCount < UpstreamRules.openMessages ? nil : .tooManyMessages
    }

    /// Makes the app on a device call `sendMessage`.
    package mutating func sendUpstream(
        _ content: UpstreamContent,
        from name: String,
        at now: DeliveryMoment
    ) {
        advance(to: now)
        guard upstreamRefusal(of: name) == nil, let index = index(named: name) else { return }
        upstream.lastNumber += 1
        let number = upstream.lastNumber
        memories[index].history.value.add(
            DeviceEvent(.sendMessage, at: now, message: MessageID(content.id))
        )
        connectUpstream(index, at: now)
        let platform = memories[index].platform
        operateUpstream(index, .send(content, number: number, on: platform), at: now)
        touch(index)
    }

    /// Takes the acknowledgement of an app server; returns the device, or nil if no message waits
    /// for it.
    @discardableResult
    package mutating func acknowledgeUpstream(
        _ key: UpstreamKey,
        at now: DeliveryMoment
    ) -> String? {
        advance(to: now)
        guard let delivery = upstream.queue.delivery(for: key) else { return nil }
        upstream.queue.remove(delivery.number)
        upstream.acknowledgedCount += 1
        upstream.openCount -= 1
        guard let index = index(named: delivery.device) else { return delivery.device }
        operateUpstream(index, .acknowledged(number: delivery.number), at: now)
        touch(index)
        return delivery.device
    }

    /// Returns the messages of a device, oldest first, or nil if no device has the name.
    package func upstreamMessages(of name: String) -> [UpstreamMessage]? {
        index(named: name).map { memories[$0].outbox.value.messages }
    }

    /// Returns when the device of a registration received a message, and its app.
    package func receipt(
        of id: MessageID,
        by registration: DeviceRegistration
    ) -> (at: DeliveryMoment, category: String?)? {
        guard let index = indexOfRegistration[registration],
            !memories[index].machine.traffic.isUntouched,
            let message = memories[index].machine.traffic.value.received.last(where: { $0.id == id }
            )
        else { return nil }
        return (message.receivedAt, memories[index].packageName)
    }

    /// Whether the client library of a device has a connection for upstream messages.
    package func hasUpstreamConnection(_ name: String) -> Bool {
        index(named: name).map { memories[$0].hasUpstreamConnection } ?? false
    }

    package var upstreamCounts: UpstreamCounts {
        UpstreamCounts(
            waiting: upstream.openCount - upstream.queue.count,
            sent: upstream.queue.count,
            acknowledged: upstream.acknowledgedCount,
            failed: upstream.failedCount
        )
    }
}

/// The upstream messages of a project by state.
package struct UpstreamCounts: Hashable, Sendable {
    package let waiting: Int
    package let sent: Int
    package let acknowledged: Int
    package let failed: Int

    package init(waiting: Int, sent: Int, acknowledged: Int, failed: Int) {
        self.waiting = waiting
        self.sent = sent
        self.acknowledged = acknowledged
        self.failed = failed
    }
}

extension DeliveryBackend {
    /// Connects or disconnects the client library of a device that has sent messages.
    mutating func connectUpstream(_ index: Int, at now: DeliveryMoment) {
        let registration = memories[index].upstreamRegistration
        guard memories[index].outbox.value.registration != registration else { return }
        if let registration {
            operateUpstream(index, .connected(registration), at: now)
        } else {
            operateUpstream(index, .disconnected, at: now)
        }
    }

    /// Performs what the conditions of a device and the time have for its messages.
    mutating func settleUpstream(_ index: Int, at now: DeliveryMoment) {
        guard !memories[index].outbox.isUntouched else { return }
        if memories[index].outbox.value.due <= now { operateUpstream(index, .timer, at: now) }
        if !memories[index].isInstalled, memories[index].outbox.value.waitingCount > 0 {
            operateUpstream(index, .removed, at: now)
        }
        connectUpstream(index, at: now)
    }

    private mutating func operateUpstream(
        _ index: Int,
        _ event: UpstreamOutbox.Event,
        at now: DeliveryMoment
    ) {
        let before = memories[index].outbox.value.openCount
        let commands = memories[index].outbox.value.take(event, at: now, in: &upstream.rate)
        for command in commands { perform(command, on: index) }
        let isAcknowledgement = if case .acknowledged = event { true } else { false }
        if !isAcknowledgement {
            let isSend = if case .send = event { 1 } else { 0 }
            let after = memories[index].outbox.value.openCount
            upstream.openCount += after - before
            upstream.failedCount += before + isSend - after
        }
        if !commands.isEmpty { touch(index) }
        schedule(index)
    }

    private mutating func perform(_ command: UpstreamOutbox.Command, on index: Int) {
        switch command {
        case .deliver(let number, let content, let registration):
            upstream.queue.add(
                UpstreamDelivery(
                    number: number,
                    content: content,
                    from: registration,
                    device: memories[index].name
                )
            )
        case .withdraw(let number): upstream.queue.remove(number)
        case .call(let callback, let id):
            let completion: ClientCompletion =
                callback.failure.map { .failed($0, at: callback.decidedAt) }
                ?? .done(at: callback.decidedAt)
            let event = DeviceEvent(
                callback.failure == nil ? .sendSuccess : .sendFailure,
                at: callback.at,
                completion: completion,
                message: MessageID(id)
            )
            memories[index].history.value.add(event)
        }
    }

    /// Forgets the messages of a device that is removed.
    mutating func forgetUpstream(of index: Int) {
        guard !memories[index].outbox.isUntouched else { return }
        upstream.openCount -= memories[index].outbox.value.openCount
        upstream.queue.removeAll(of: memories[index].name)
    }
}

extension DeviceMemory {
    var hasUpstreamConnection: Bool { upstreamRegistration != nil }

    /// The registration of an app whose client library has a connection to FCM, or nil.
    ///
    /// On Apple devices it needs the direct channel, which FCM closes in the background (Firebase
    /// documentation, Send upstream messages on iOS).
    var upstreamRegistration: DeviceRegistration? {
        let conditions = machine.conditions
        guard conditions.isInstalled, conditions.isOnline else { return nil }
        let isOpen =
            switch platform {
            case .android:
                !conditions.isDozing && !conditions.isForceStopped && !conditions.isUserStopped
            case .apple: conditions.usesDirectChannel && conditions.isInForeground
            case .web: false
            }
        return isOpen ? registration : nil
    }
}
