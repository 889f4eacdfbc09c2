// The behaviour of an app's client SDK (Firebase documentation, Subscribe the client app to a
// topic): a call waits for a registration and a network, and then reports its completion.
extension DeliveryBackend {
    /// Makes a subscription call of the app, which completes immediately if nothing blocks it.
    ///
    /// Returns false if no device has the name, if its app is not installed, or if too many calls
    /// wait.
    package mutating func make(
        _ call: ClientCall,
        on name: String,
        at now: DeliveryMoment
    ) -> Bool {
        advance(to: now)
        guard let index = index(named: name), memories[index].isInstalled,
            memories[index].history.value.hasRoomForCall
        else { return false }
        memories[index].history.value.add(call, at: now)
        finishCalls(of: index, at: now)
        touch(index)
        return true
    }

    /// Maximum number of an app's calls that may wait for a registration or a network.
    package static let waitingCalls = DeviceHistory.eventLimit

    /// Returns whether the app on a device can make one more call.
    package func hasRoomForCall(on name: String) -> Bool {
        index(named: name).map { memories[$0].history.value.hasRoomForCall } ?? false
    }

    /// Returns the event that `make` would add, with its completion.
    package func event(
        of call: ClientCall,
        on device: Device,
        at now: DeliveryMoment
    ) -> DeviceEvent {
        var end = ClientCompletion.pending
        if device.obstacle == nil, let index = index(named: device.name) {
            end = completion(of: call, by: index, at: now)
        }
        return DeviceEvent(call.eventKind, at: now, topic: call.topic, completion: end)
    }

    private func completion(
        of call: ClientCall,
        by index: Int,
        at now: DeliveryMoment
    ) -> ClientCompletion {
        guard let topic = TopicName(written: call.topic) else {
            return .failed(.malformedTopic, at: now)
        }
        if case .subscribe = call, isFull(index, for: topic) {
            return .failed(.tooManyTopics, at: now)
        }
        return .done(at: now)
    }

    /// Completes the waiting calls in order, unless the device has no registration or no network.
    mutating func finishCalls(of index: Int, at now: DeliveryMoment) {
        guard memories[index].isInstalled, memories[index].obstacle == nil,
            !memories[index].history.isUntouched,
            memories[index].history.value.hasWaitingCalls
        else { return }
        for waiting in memories[index].history.value.takeWaitingCalls() {
            let completion = completion(of: waiting.call, by: index, at: now)
            memories[index].history.value.complete(waiting.event, with: completion)
            guard case .done = completion, let topic = TopicName(written: waiting.call.topic)
            else { continue }
            memories[index].ownTopics.removeAll { $0 == topic }
            switch waiting.call {
            case .subscribe:
                join(index, topic: topic, at: now)
                memories[index].ownTopics.append(topic)
            case .unsubscribe: leave(index, topic: topic)
            }
        }
    }
}

extension DeliveryBackend {
    /// Gives the app on a device a new registration, so that FCM rejects the previous one as
    /// UNREGISTERED.
    ///
    /// The app joins its own topics with the new registration. Subscriptions that a server made for
    /// the previous one are lost. Returns false if no device has the name or if its app is not
    /// installed.
    package mutating func register(
        _ name: String,
        as registration: DeviceRegistration,
        at now: DeliveryMoment
    ) -> Bool {
        advance(to: now)
        guard let index = index(named: name), memories[index].isInstalled else { return false }
        leaveAllTopics(index)
        replaceRegistration(of: index, with: registration)
        memories[index].machine.register(at: now)
        memories[index].history.value.add(DeviceEvent(.registered, at: now))
        joinOwnTopics(index, at: now)
        finishCalls(of: index, at: now)
        settleUpstream(index, at: now)
        schedule(index)
        touch(index)
        return true
    }

    /// Deletes the app's registration and drops the messages that wait for it.
    package mutating func unregister(_ name: String, at now: DeliveryMoment) {
        advance(to: now)
        guard let index = index(named: name), memories[index].registration != nil
        else { return }
        leaveAllTopics(index)
        replaceRegistration(of: index, with: nil)
        memories[index].machine.giveUpRegistration(at: now, reportingTo: &reports)
        memories[index].history.value.add(DeviceEvent(.unregistered, at: now))
        settleUpstream(index, at: now)
        touch(index)
    }

    /// Subscribes an app that starts to its own topics again, also to those from which a server
    /// removed it (Firebase documentation, Topic messaging on Apple platforms).
    mutating func reassertTopics(
        of index: Int,
        since before: DeviceConditions,
        at now: DeliveryMoment
    ) {
        guard !memories[index].ownTopics.isEmpty, memories[index].obstacle == nil,
            before.startsApp(in: memories[index].machine.conditions)
        else { return }
        for topic in memories[index].ownTopics where !isFull(index, for: topic) {
            join(index, topic: topic, at: now)
        }
        touch(index)
    }

    mutating func joinOwnTopics(_ index: Int, at now: DeliveryMoment) {
        for topic in memories[index].ownTopics { join(index, topic: topic, at: now) }
    }
}

extension TopicName {
    /// Parses a topic as apps write it, because client SDKs remove `/topics/`.
    fileprivate init?(written text: String) {
        self.init(text.hasPrefix("/topics/") ? String(text.dropFirst(8)) : text)
    }
}
