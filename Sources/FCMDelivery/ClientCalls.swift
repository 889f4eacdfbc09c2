// What the client SDK of an app does by itself (Firebase documentation, Subscribe the client app
// to a topic): a call waits for registration and network, and ends in a completion.
extension DeliveryModel {
    /// Makes a call of the app's; it is done at once where nothing is in its way.
    ///
    /// False where no device has the name, its app is not installed, or too many calls wait.
    package mutating func make(
        _ call: ClientCall,
        on name: String,
        at now: DeliveryMoment
    ) -> Bool {
        guard let index = index(named: name), memories[index].device.isInstalled,
            memories[index].hasRoomForCall
        else { return false }
        memories[index].add(call, at: now)
        finishCalls(of: index, at: now)
        return true
    }

    /// How many calls of an app's can wait for a registration or a network.
    package static let waitingCalls = DeviceMemory.eventLimit

    /// Whether the app on a device can make one more call.
    package func hasRoomForCall(on name: String) -> Bool {
        index(named: name).map { memories[$0].hasRoomForCall } ?? false
    }

    /// The event that `make` would add, with the completion that it has then.
    package func event(
        of call: ClientCall,
        on device: Device,
        at now: DeliveryMoment
    ) -> DeviceEvent {
        let completion =
            device.obstacle == nil ? completion(of: call, by: device, at: now) : .pending
        return DeviceEvent(call.eventKind, at: now, topic: call.topic, completion: completion)
    }

    private func completion(
        of call: ClientCall,
        by device: Device,
        at now: DeliveryMoment
    ) -> ClientCompletion {
        guard let topic = TopicName(written: call.topic) else {
            return .failed(.malformedTopic, at: now)
        }
        let isFull = device.topics.count >= Self.topicsPerDevice && device.topics[topic] == nil
        if case .subscribe = call, isFull { return .failed(.tooManyTopics, at: now) }
        return .done(at: now)
    }

    /// Ends the calls that wait, in their order, unless something is in their way.
    mutating func finishCalls(of index: Int, at now: DeliveryMoment) {
        guard memories[index].device.isInstalled, memories[index].device.obstacle == nil
        else { return }
        for waiting in memories[index].takeWaitingCalls() {
            let completion = completion(of: waiting.call, by: memories[index].device, at: now)
            memories[index].complete(waiting.event, completion)
            guard case .done = completion, let topic = TopicName(written: waiting.call.topic)
            else { continue }
            switch waiting.call {
            case .subscribe:
                join(index, topic, at: now)
                memories[index].ownTopics.insert(topic)
            case .unsubscribe:
                leave(index, topic)
                memories[index].ownTopics.remove(topic)
            }
        }
    }
}

extension DeliveryModel {
    /// Gives the app on a device a registration; a former one answers UNREGISTERED from now on.
    ///
    /// The app asserts its own subscriptions under the new one; those that a server made under the
    /// former are lost. False where no device has the name, or its app is not installed.
    package mutating func register(
        _ name: String,
        as registration: DeviceRegistration,
        at now: DeliveryMoment
    ) -> Bool {
        guard let index = index(named: name), memories[index].device.isInstalled else {
            return false
        }
        leaveAllTopics(index)
        replaceRegistration(of: index, with: registration)
        memories[index].device.isRegistered = true
        memories[index].add(DeviceEvent(.registered, at: now))
        joinOwnTopics(index, at: now)
        finishCalls(of: index, at: now)
        return true
    }

    /// The app gives its registration up; what waited under it is dropped.
    package mutating func unregister(_ name: String, at now: DeliveryMoment) {
        guard let index = index(named: name), memories[index].device.registration != nil
        else { return }
        leaveAllTopics(index)
        replaceRegistration(of: index, with: nil)
        memories[index].device.isRegistered = false
        memories[index].dropPending(at: now)
        memories[index].add(DeviceEvent(.unregistered, at: now))
    }

    mutating func joinOwnTopics(_ index: Int, at now: DeliveryMoment) {
        for topic in memories[index].ownTopics { join(index, topic, at: now) }
    }
}

extension TopicName {
    /// Reads a topic as apps write it: client SDKs take `/topics/` off.
    fileprivate init?(written text: String) {
        self.init(text.hasPrefix("/topics/") ? String(text.dropFirst(8)) : text)
    }
}
