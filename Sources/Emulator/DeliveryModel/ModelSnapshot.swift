extension DeliveryBackend {
    /// Returns the complete state of every device, in seeding order.
    package mutating func snapshot(at now: DeliveryMoment) -> [DeviceSnapshot] {
        advance(to: now)
        return places.map { snapshot(at: $0) }
    }

    /// Returns the unfinished fan-outs in order of acceptance.
    package func fanOutSnapshot() -> [FanOutSnapshot] {
        fanOuts.running.map { snapshot(of: $0, next: $0.next) }
            + fanOuts.deferred.map { snapshot(of: $0, next: nil) }
    }

    /// Replaces all devices and fan-outs with the given snapshots.
    ///
    /// Device groups are discarded, because their members may no longer exist.
    package mutating func restore(
        _ snapshots: [DeviceSnapshot],
        fanOuts: [FanOutSnapshot] = [],
        at now: DeliveryMoment
    ) {
        advance(to: now)
        startAnew()
        for snapshot in snapshots { put(snapshot, at: now) }
        rebuildIndexes()
        for fanOut in fanOuts { put(fanOut) }
    }

    private mutating func put(_ snapshot: DeviceSnapshot, at now: DeliveryMoment) {
        let index = memories.count
        memories.append(DeviceMemory(snapshot, at: now))
        for (topic, since) in snapshot.device.topics { join(index, topic: topic, at: since) }
        touch(index)
    }

    private mutating func put(_ snapshot: FanOutSnapshot) {
        let fanOut = FanOut(
            id: snapshot.id,
            contents: PlatformContents(
                snapshot.contents,
                isEmptyForAll: snapshot.isEmptyForAll,
                package: snapshot.packageName
            ),
            isToTopic: snapshot.isToTopic,
            recipients: snapshot.recipients.compactMap { index(named: $0).map { Int32($0) } },
            next: snapshot.next ?? latest
        )
        if snapshot.next == nil {
            fanOuts.deferred.append(fanOut)
        } else {
            fanOuts.running.append(fanOut)
        }
    }

    private func snapshot(of fanOut: FanOut, next: DeliveryMoment?) -> FanOutSnapshot {
        var contents = fanOut.contents
        return FanOutSnapshot(
            id: fanOut.id,
            contents: Dictionary(
                uniqueKeysWithValues: DevicePlatform.allCases.map {
                    ($0, contents.content(for: $0).content)
                }
            ),
            isEmptyForAll: fanOut.contents.isEmptyForAll,
            packageName: fanOut.contents.packageName,
            isToTopic: fanOut.isToTopic,
            recipients: fanOut.recipients.dropFirst(fanOut.reached)
                .filter { !memories[Int($0)].isGap }.map { memories[Int($0)].name },
            next: next
        )
    }

    private func snapshot(at index: Int) -> DeviceSnapshot {
        let memory = memories[index]
        let traffic = memory.machine.traffic.value
        let newest = traffic.received.newest
        let forgotten = traffic.forgotten + traffic.received.count - newest.count
        var snapshot = DeviceSnapshot(
            specification: memory.specification,
            device: device(at: index),
            ownTopics: memory.ownTopics.sorted { $0.text < $1.text },
            events: memory.history.value.snapshot,
            forgotten: forgotten,
            received: newest,
            pending: traffic.queue.messages.map { StoredMessage($0) },
            counts: traffic.counts
        )
        snapshot.memory = DeliveryMemory(memory.machine)
        snapshot.memory.tray = traffic.tray.filter { $0 > forgotten }
        return snapshot
    }
}

extension DeviceMemory {
    init(_ snapshot: DeviceSnapshot, at now: DeliveryMoment) {
        self.init(snapshot.specification, at: now)
        registration = snapshot.device.registration
        ownTopics = snapshot.ownTopics.eachOnce
        if !snapshot.events.isEmpty { history.value = DeviceHistory(restoring: snapshot.events) }
        machine = DeviceMachine(
            platform: snapshot.device.platform,
            conditions: DeviceConditions(snapshot.device),
            isRegistered: snapshot.device.isRegistered,
            lastSeen: min(snapshot.device.lastSeen ?? now, now),
            salt: machine.salt
        )
        machine.restore(snapshot, at: now)
    }
}

extension DeviceMachine {
    fileprivate mutating func restore(_ snapshot: DeviceSnapshot, at now: DeliveryMoment) {
        let memory = snapshot.memory
        noticeOfRemoval = memory.noticeOfRemoval ?? .never
        traffic.value.forgotten = snapshot.forgotten
        traffic.value.received = snapshot.received
        traffic.value.counts = snapshot.counts
        traffic.value.tray = memory.tray
        traffic.value.dropped = memory.dropped
        traffic.value.collapsible = memory.collapsible
        traffic.value.rates = memory.rates
        traffic.value.missedData = memory.missedData
        traffic.value.owesNotice = memory.owesNotice
        traffic.value.notices = memory.notices
        traffic.value.lastNotice = memory.lastNotice
        for message in snapshot.pending { traffic.value.queue.append(PendingMessage(message)) }
        // The first advance finds the actual due work.
        if !snapshot.pending.isEmpty || memory.owesNotice { traffic.value.due = now }
    }
}

extension PendingMessage {
    fileprivate init(_ message: StoredMessage) {
        self.init(
            id: message.id,
            shared: SharedContent(message.content),
            key: message.key,
            acceptedAt: message.acceptedAt,
            expiresAt: message.expiresAt,
            rateUntil: message.rateUntil,
            backgroundUntil: message.backgroundUntil,
            delay: message.delay,
            isHigh: message.content.isHighPriority && !message.isPriorityLowered,
            isLowered: message.isPriorityLowered
        )
    }
}

extension StoredMessage {
    fileprivate init(_ message: PendingMessage) {
        self.init(
            id: message.id,
            content: message.shared.content,
            key: message.key,
            acceptedAt: message.acceptedAt,
            expiresAt: message.expiresAt,
            rateUntil: message.rateUntil,
            backgroundUntil: message.backgroundUntil,
            delay: message.delay,
            isPriorityLowered: message.isLowered
        )
    }
}

extension DeliveryMemory {
    fileprivate init(_ machine: DeviceMachine) {
        let traffic = machine.traffic.value
        self.init()
        dropped = traffic.dropped.suffix(Traffic.rememberedDrops)
        collapsible = traffic.collapsible
        rates = traffic.rates
        missedData = traffic.missedData
        owesNotice = traffic.owesNotice
        notices = traffic.notices
        lastNotice = traffic.lastNotice
        noticeOfRemoval = machine.noticeOfRemoval == .never ? nil : machine.noticeOfRemoval
    }
}
