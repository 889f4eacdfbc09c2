extension DeviceMachine {
    /// Accepts a message, and delivers, stores or drops it.
    package mutating func arrive(
        _ message: ArrivingMessage,
        at now: DeliveryMoment,
        under options: DeliveryOptions,
        reportingTo reports: inout [DeliveryReport]
    ) {
        advance(to: now, under: options, reportingTo: &reports)
        var pending = pending(message, at: now, under: options)
        guard message.isForPlatform else {
            return drop(pending, as: .nothingForPlatform, at: now, reportingTo: &reports)
        }
        if isSilent(at: now) {
            if !pending.shared.content.hasNotification { traffic.value.missedData = now }
            return drop(pending, as: .droppedDeviceInactive, at: now, reportingTo: &reports)
        }
        pending.rateUntil = takeRate(at: now, under: options)
        guard let hindrance = hindrance(of: pending, at: now, under: options) else {
            return attempt(pending, at: now, under: options, reportingTo: &reports)
        }
        store(pending, because: hindrance, at: now, reportingTo: &reports)
        payNotice(at: now, reportingTo: &reports)
        note(dueUnder: options, at: now)
    }

    private func pending(
        _ message: ArrivingMessage,
        at now: DeliveryMoment,
        under options: DeliveryOptions
    ) -> PendingMessage {
        let content = message.shared.content
        let isLowered = isLowered(content, at: now, under: options)
        let isHigh = content.isHighPriority && !isLowered
        let isNowOrNever = content.life == .nowOrNever
        return PendingMessage(
            id: message.id,
            shared: message.shared,
            key: message.key,
            acceptedAt: now,
            expiresAt: content.life.end(from: now) ?? now,
            rateUntil: now,
            backgroundUntil: isHigh || isNowOrNever
                ? now : backgroundEnd(of: message, at: now, under: options),
            delay: .deliveredNoDelay,
            isHigh: isHigh,
            isLowered: isLowered
        )
    }

    /// Counts a message against the device's rate and returns the time when there is room for it.
    private mutating func takeRate(
        at now: DeliveryMoment,
        under options: DeliveryOptions
    ) -> DeliveryMoment {
        guard platform == .android, options.throttlesDevices else { return now }
        let until = rateRoom(from: now)
        traffic.value.rates.add(at: until, now: now, keeping: RateLimit.androidHour.interval)
        return until
    }

    /// Returns the earliest time at which one more message is within the rate of an Android device.
    package func rateRoom(from now: DeliveryMoment) -> DeliveryMoment {
        guard platform == .android, !traffic.isUntouched else { return now }
        return max(
            traffic.value.rates.room(within: .androidMinute, from: now),
            traffic.value.rates.room(within: .androidHour, from: now)
        )
    }

    /// APNs delays only background pushes (Apple documentation, Pushing background updates to your App).
    private func backgroundEnd(
        of message: ArrivingMessage,
        at now: DeliveryMoment,
        under options: DeliveryOptions
    ) -> DeliveryMoment {
        let longest: Int64 =
            switch platform {
            case .android: options.backgroundDelay
            case .apple where !message.shared.content.hasNotification: options.appleBackgroundDelay
            case .apple, .web: 0
            }
        guard longest > 0 else { return now }
        let bits = (options.seed ^ salt ^ message.id.text.stableHash).scattered
        let part = Int64(bits % UInt64(longest + 1))
        return now.advanced(byMilliseconds: part)
    }

    /// Returns whether a high-priority message is lowered to normal priority.
    ///
    /// It is lowered if, in the last seven days, more of the app's high-priority messages showed no
    /// notification than showed one.
    private func isLowered(
        _ content: MessageContent,
        at now: DeliveryMoment,
        under options: DeliveryOptions
    ) -> Bool {
        guard options.lowersPriority, platform == .android, content.isHighPriority,
            !content.hasNotification, !traffic.isUntouched
        else { return false }
        let since = now.milliseconds - DeliveryRules.priorityMemory
        var silent = 0
        var shown = 0
        for message in traffic.value.received.newest
        where message.receivedAt.milliseconds > since && message.content.isHighPriority {
            if message.content.hasNotification { shown += 1 } else { silent += 1 }
        }
        return silent > shown
    }

    /// Returns the reason why a message cannot be delivered at `now`, or nil.
    func hindrance(
        of message: PendingMessage,
        at now: DeliveryMoment,
        under options: DeliveryOptions
    ) -> MessageDelay? {
        if !conditions.isOnline { return .delayedDeviceOffline }
        if conditions.isUserStopped { return .delayedUserStopped }
        if conditions.isDozing && !message.isHigh { return .delayedDeviceDoze }
        if message.rateUntil > now || collapsibleRoom(message, from: now, under: options) > now {
            return .delayedMessageThrottled
        }
        let waits = message.backgroundUntil > now && !conditions.isInForeground
        return waits ? .delayedInBackground : nil
    }

    /// Returns the earliest time at which the throttle for collapsible messages allows a message; a
    /// message with a TTL of 0 is exempt.
    private func collapsibleRoom(
        _ message: PendingMessage,
        from now: DeliveryMoment,
        under options: DeliveryOptions
    ) -> DeliveryMoment {
        guard isThrottled(message, under: options) else { return now }
        return traffic.value.collapsible.room(
            limit: DeliveryRules.collapsibleBurst,
            interval: Self.burstInterval,
            from: now
        )
    }

    private static let burstInterval =
        DeliveryRules.collapsibleInterval * Int64(DeliveryRules.collapsibleBurst)

    private func isThrottled(
        _ message: PendingMessage,
        under options: DeliveryOptions
    ) -> Bool {
        platform == .android && options.throttlesDevices && message.key != nil
            && message.shared.content.life != .nowOrNever
    }

    private mutating func attempt(
        _ message: PendingMessage,
        at now: DeliveryMoment,
        under options: DeliveryOptions,
        reportingTo reports: inout [DeliveryReport]
    ) {
        if isThrottled(message, under: options) {
            traffic.value.collapsible.take(
                1,
                limit: DeliveryRules.collapsibleBurst,
                interval: Self.burstInterval,
                at: now
            )
        }
        guard conditions.isInstalled else {
            drop(message, as: .droppedUninstalled, at: now, reportingTo: &reports)
            return noticeRemoval(at: now, reportingTo: &reports)
        }
        guard !conditions.isForceStopped else {
            return drop(message, as: .droppedAppForceStopped, at: now, reportingTo: &reports)
        }
        reports.append(.message(message.id, .delivered, message.delay, at: now))
        let isShown = message.shared.content.hasNotification && !conditions.isInForeground
        traffic.value.receive(
            ReceivedMessage(message, at: now, manner: isShown ? .tray : .callback),
            on: platform
        )
    }

    private mutating func noticeRemoval(
        at now: DeliveryMoment,
        reportingTo reports: inout [DeliveryReport]
    ) {
        guard platform == .apple else {
            return loseRegistration(at: now, as: .droppedUninstalled, reportingTo: &reports)
        }
        if isRegistered, noticeOfRemoval == .never {
            noticeOfRemoval = now.advanced(byMilliseconds: DeliveryRules.appleNotice)
        }
    }

    func isKept(_ message: PendingMessage, at now: DeliveryMoment) -> Bool {
        message.shared.content.life != .nowOrNever && message.expiresAt > now
    }

    private mutating func store(
        _ message: PendingMessage,
        because delay: MessageDelay,
        at now: DeliveryMoment,
        reportingTo reports: inout [DeliveryReport]
    ) {
        guard isKept(message, at: now) else {
            return drop(message, as: .droppedTtlExpired, at: now, reportingTo: &reports)
        }
        if let key = message.key, let older = traffic.value.queue.remove(key: key) {
            drop(older, as: .collapsed, at: now, reportingTo: &reports)
        }
        var message = message
        message.delay = delay
        reports.append(.message(message.id, .pending, delay, at: now))
        traffic.value.queue.append(message)
        keepWithinLimits(at: now, reportingTo: &reports)
    }

    private mutating func keepWithinLimits(
        at now: DeliveryMoment,
        reportingTo reports: inout [DeliveryReport]
    ) {
        let queue = traffic.value.queue
        guard platform == .android else {
            guard queue.count > DeliveryRules.otherStoredMessages,
                let oldest = traffic.value.queue.removeOldest()
            else { return }
            return drop(oldest, as: .droppedTooManyPendingMessages, at: now, reportingTo: &reports)
        }
        if queue.keys > DeliveryRules.collapseKeys,
            let oldest = traffic.value.queue.removeOldestKey()
        {
            reports.append(.message(oldest.id, .collapsed, oldest.delay, at: now))
            remember(oldest, droppedAs: .collapsed, at: now, isChoiceOfModel: true)
        }
        guard queue.countWithoutKey > DeliveryRules.androidMessagesWithoutKey else { return }
        for message in traffic.value.queue.removeAll() {
            drop(message, as: .droppedTooManyPendingMessages, at: now, reportingTo: &reports)
        }
        traffic.value.owesNotice = true
    }

    mutating func drop(
        _ message: PendingMessage,
        as outcome: MessageOutcome,
        at now: DeliveryMoment,
        reportingTo reports: inout [DeliveryReport]
    ) {
        reports.append(.message(message.id, outcome, message.delay, at: now))
        remember(message, droppedAs: outcome, at: now, isChoiceOfModel: false)
    }

    private mutating func remember(
        _ message: PendingMessage,
        droppedAs outcome: MessageOutcome,
        at now: DeliveryMoment,
        isChoiceOfModel: Bool
    ) {
        traffic.value.remember(
            DroppedMessage(
                id: message.id,
                shared: message.shared,
                acceptedAt: message.acceptedAt,
                at: now,
                outcome: outcome,
                isChoiceOfModel: isChoiceOfModel
            )
        )
    }

    /// Drops expired messages and delivers all unblocked messages in order of acceptance.
    mutating func settle(
        at now: DeliveryMoment,
        under options: DeliveryOptions,
        reportingTo reports: inout [DeliveryReport]
    ) {
        guard !traffic.isUntouched else { return }
        for message in traffic.value.queue.removeAll(where: { $0.expiresAt <= now }) {
            drop(message, as: .droppedTtlExpired, at: now, reportingTo: &reports)
        }
        payNotice(at: now, reportingTo: &reports)
        deliverWaiting(at: now, under: options, reportingTo: &reports)
        note(dueUnder: options, at: now)
    }

    private mutating func deliverWaiting(
        at now: DeliveryMoment,
        under options: DeliveryOptions,
        reportingTo reports: inout [DeliveryReport]
    ) {
        guard conditions.isOnline, traffic.value.queue.count > 0 else { return }
        let wasRegistered = isRegistered
        var kept: [PendingMessage] = []
        for message in traffic.value.queue.removeAll() {
            if wasRegistered, !isRegistered {
                drop(message, as: .droppedUninstalled, at: now, reportingTo: &reports)
            } else if hindrance(of: message, at: now, under: options) == nil {
                attempt(message, at: now, under: options, reportingTo: &reports)
            } else {
                kept.append(message)
            }
        }
        guard wasRegistered, !isRegistered else { return traffic.value.queue.restore(kept) }
        for message in kept {
            drop(message, as: .droppedUninstalled, at: now, reportingTo: &reports)
        }
    }

    private mutating func payNotice(
        at now: DeliveryMoment,
        reportingTo reports: inout [DeliveryReport]
    ) {
        guard traffic.value.owesNotice, conditions.isOnline, !conditions.isUserStopped,
            !conditions.isDozing
        else { return }
        traffic.value.owesNotice = false
        guard conditions.isInstalled, !conditions.isForceStopped else { return }
        traffic.value.notices += 1
        traffic.value.lastNotice = now
        reports.append(.deletedMessages(at: now))
    }

    /// Updates the time when the next work falls due.
    private mutating func note(dueUnder options: DeliveryOptions, at now: DeliveryMoment) {
        var due = DeliveryMoment.never
        for message in traffic.value.queue.messages {
            due = min(due, message.expiresAt)
            switch hindrance(of: message, at: now, under: options) {
            case .delayedMessageThrottled?:
                let room = collapsibleRoom(message, from: now, under: options)
                due = min(due, max(message.rateUntil, room))
            case .delayedInBackground?:
                due = min(due, message.backgroundUntil)
            case .deliveredNoDelay?, .delayedDeviceOffline?, .delayedDeviceDoze?,
                .delayedUserStopped?, nil:
                break
            }
        }
        traffic.value.due = due
    }
}
