/// A selection of devices by their names, topics, texts and state.
package struct PhoneSelection: Sendable {
    /// A state that a device can be in.
    package enum State: String, Hashable, CaseIterable, Sendable {
        case tray
        case waiting
        case lost
        case offline
        case dozing
        /// The app is removed or stopped.
        case gone
    }

    /// Texts that must all occur in the device's name, package, topics, notifications or waiting
    /// messages, regardless of case.
    private let words: [TextNeedle]
    package let platform: DevicePlatform?
    package let state: State?
    /// The only device, or nil for all.
    package let name: String?

    package init(
        text: String = "",
        platform: DevicePlatform? = nil,
        state: State? = nil,
        name: String? = nil
    ) {
        words = text.split(whereSeparator: \.isWhitespace).map { TextNeedle(String($0)) }
        self.platform = platform
        self.state = state
        self.name = name
    }

    package var selectsAll: Bool {
        words.isEmpty && platform == nil && state == nil && name == nil
    }

    fileprivate func selectsState(of memory: borrowing DeviceMemory) -> Bool {
        if let platform, memory.platform != platform { return false }
        let conditions = memory.machine.conditions
        let traffic = memory.machine.traffic
        switch state {
        case nil: return true
        case .offline?: return !conditions.isOnline
        case .dozing?: return conditions.isDozing
        case .gone?: return !conditions.isInstalled || conditions.isForceStopped
        case .tray?: return !traffic.isUntouched && !traffic.value.tray.isEmpty
        case .waiting?: return !traffic.isUntouched && traffic.value.queue.count > 0
        case .lost?:
            guard !traffic.isUntouched else { return false }
            let counts = traffic.value.counts
            return counts.dropped + counts.collapsed > 0
        }
    }

    fileprivate var readers: [WordReader] { words.map { WordReader($0) } }
}

extension DeliveryBackend {
    /// Returns a page of the selected devices in seeding order, and the number of all selected
    /// devices.
    ///
    /// Without conditions, the cost is that of the page; otherwise every device is read once.
    package func devices(
        _ selection: PhoneSelection,
        skipping skipped: Int,
        limit: Int
    ) -> (indices: [Int], total: Int) {
        if let name = selection.name {
            let found = index(named: name).map { [$0] } ?? []
            return (Array(found.dropFirst(skipped).prefix(limit)), found.count)
        }
        if selection.selectsAll, deviceCount == memories.count {
            let first = min(skipped, memories.count)
            return (Array(first..<min(memories.count, first + limit)), memories.count)
        }
        var readers = selection.readers
        for reader in readers.indices { readers[reader].readTopics(topicNames) }
        var indices: [Int] = []
        var total = 0
        for index in memories.indices where isSelected(index, by: selection, reading: &readers) {
            if total >= skipped, indices.count < limit { indices.append(index) }
            total += 1
        }
        return (indices, total)
    }

    private func isSelected(
        _ index: Int,
        by selection: PhoneSelection,
        reading readers: inout [WordReader]
    ) -> Bool {
        guard !memories[index].isGap, selection.selectsState(of: memories[index]) else {
            return false
        }
        for reader in readers.indices where !readers[reader].finds(in: memories[index]) {
            return false
        }
        return true
    }
}

/// The search for one word, which remembers what it read about shared topics and messages.
private struct WordReader {
    private let word: TextNeedle
    private var topics: Set<Int32> = []
    private var messages: [ObjectIdentifier: Bool] = [:]

    init(_ word: TextNeedle) {
        self.word = word
    }

    mutating func readTopics(_ names: [TopicName]) {
        topics = Set(names.indices.filter { word.occurs(in: names[$0].text) }.map { Int32($0) })
    }

    mutating func finds(in memory: DeviceMemory) -> Bool {
        if word.occurs(in: memory.name) { return true }
        if let package = memory.packageName, word.occurs(in: package) { return true }
        if !topics.isEmpty, memory.memberships.contains(where: { topics.contains($0.topic) }) {
            return true
        }
        guard !memory.machine.traffic.isUntouched else { return false }
        return findsMessage(in: memory.machine.traffic.value)
    }

    private mutating func findsMessage(in traffic: Traffic) -> Bool {
        for number in traffic.tray.reversed() where number > traffic.forgotten {
            if finds(traffic.received[number - traffic.forgotten - 1].shared) { return true }
        }
        for message in traffic.queue.messages where finds(message.shared) { return true }
        return false
    }

    private mutating func finds(_ shared: SharedContent) -> Bool {
        let key = ObjectIdentifier(shared)
        if let known = messages[key] { return known }
        let isFound =
            shared.content.title.map(word.occurs) == true
            || shared.content.body.map(word.occurs) == true
        messages[key] = isFound
        return isFound
    }
}
