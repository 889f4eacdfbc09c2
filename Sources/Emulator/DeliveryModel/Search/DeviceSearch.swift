/// Conditions for devices; nil allows everything.
package struct DeviceQuery: Sendable {
    /// Part of the name, the registration, the package or a topic.
    package var text: TextNeedle?
    package var platform: DevicePlatform?
    package var topic: TopicName?
    package var isOnline: Bool?
    package var isInstalled: Bool?
    /// The places of the devices that match a fingerprint, in addition to those of `text`.
    package var places: Set<Int> = []

    package init() {}
}

/// A device and the numbers of its messages.
package struct FoundDevice: Sendable {
    package let device: Device
    /// The device's position in seeding order; removed devices leave gaps.
    package let place: Int
    package let received: Int
    package let tray: Int
    package let pending: Int
    package let dropped: Int
    package let newest: ReceivedMessage?
}

extension DeliveryBackend {
    /// Returns a part of the devices that match, in seeding order, and the number of all matches.
    package func search(
        _ query: DeviceQuery,
        part: Range<Int>
    ) -> (devices: [FoundDevice], total: Int) {
        if let topic = query.topic, numberOfTopic[topic] == nil { return ([], 0) }
        var devices: [FoundDevice] = []
        var total = 0
        for place in memories.indices where takes(place, query) {
            if part.contains(total) { devices.append(found(place)) }
            total += 1
        }
        return (devices, total)
    }

    /// Returns the places and registrations of all devices.
    package func forEachRegistration(_ body: (_ place: Int, _ text: DeviceRegistration) -> Void) {
        for place in memories.indices {
            if let registration = memories[place].registration { body(place, registration) }
        }
    }

    /// Returns the place of a device, or nil if no device has the name.
    package func place(named name: String) -> Int? { index(named: name) }

    /// Returns the place of the device that has a registration or was seeded with it.
    package func place(of registration: DeviceRegistration) -> Int? {
        indexOfRegistration[registration]
    }

    private func takes(_ place: Int, _ query: DeviceQuery) -> Bool {
        guard !memories[place].isGap else { return false }
        let conditions = memories[place].machine.conditions
        if let platform = query.platform, platform != memories[place].platform { return false }
        if let isOnline = query.isOnline, isOnline != conditions.isOnline { return false }
        if let isInstalled = query.isInstalled, isInstalled != conditions.isInstalled {
            return false
        }
        if let topic = query.topic, !isMember(place, of: topic) { return false }
        guard let text = query.text else { return true }
        return query.places.contains(place) || has(text, at: place)
    }

    private func has(_ text: TextNeedle, at place: Int) -> Bool {
        if text.occurs(in: memories[place].name) { return true }
        if let registration = memories[place].registration, text.occurs(in: registration.text) {
            return true
        }
        if let name = memories[place].packageName, text.occurs(in: name) { return true }
        return memories[place].memberships.contains {
            text.occurs(in: topicNames[Int($0.topic)].text)
        }
    }

    private func found(_ place: Int) -> FoundDevice {
        let traffic = memories[place].machine.traffic.value
        return FoundDevice(
            device: device(at: place),
            place: place,
            received: traffic.forgotten + traffic.received.count,
            tray: traffic.tray.count,
            pending: traffic.queue.count,
            dropped: traffic.counts.dropped + traffic.counts.collapsed,
            newest: traffic.received.last
        )
    }
}
