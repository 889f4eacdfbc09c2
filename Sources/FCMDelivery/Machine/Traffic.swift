/// What a device has that something was ever sent to.
struct Traffic: Emptiable {
    var queue = PendingQueue()
    /// Not after the moment at which something falls due.
    var due = DeliveryMoment.never
    var received: [ReceivedMessage] = []
    /// How many messages came before those that are remembered.
    var forgotten = 0
    var dropped: [DroppedMessage] = []
    var counts = DeliveryCounts()
    /// Collapsible messages, of an Android device.
    var collapsible = RateWindow()
    /// Messages of any kind; of an Apple device only where a limit is set.
    var minute = RateWindow()
    var hour = RateWindow()
    /// The numbers of the messages that are in the tray, the oldest first.
    var tray: [Int] = []
    /// When the newest data message was dropped because the device had been silent.
    var missedData: DeliveryMoment?
    /// Whether the app is to be told that messages were discarded.
    var owesNotice = false
    /// How often the app was told, and when it was last.
    var notices = 0
    var lastNotice: DeliveryMoment?

    /// So many that were dropped are remembered.
    static let droppedLimit = 100

    mutating func remember(_ message: DroppedMessage) {
        counts.add(message.outcome)
        if dropped.count >= 2 * Self.droppedLimit { dropped.removeFirst(Self.droppedLimit) }
        dropped.append(message)
    }

    /// Adds to what was received; what is shown may take the place of what is in the tray.
    mutating func receive(_ message: ReceivedMessage, on platform: DevicePlatform) {
        counts.delivered += 1
        let gone = received.makeRoom()
        forgotten += gone
        if gone > 0 { tray.removeAll { $0 <= forgotten } }
        received.append(message)
        guard message.manner == .tray else { return }
        if let tag = message.content.trayTag(on: platform) { replace(tag, on: platform) }
        tray.append(forgotten + received.count)
        if tray.count > DeliveryRules.shownAtOnce { leaveTray(0, as: .gone) }
    }

    private mutating func replace(_ tag: String, on platform: DevicePlatform) {
        let place = tray.firstIndex {
            received[$0 - forgotten - 1].content.trayTag(on: platform) == tag
        }
        if let place { leaveTray(place, as: .replaced) }
    }

    mutating func leaveTray(_ place: Int, as state: ReceivedMessage.TrayState) {
        let number = tray.remove(at: place)
        received[number - forgotten - 1].trayState = state
    }

    /// The place in the tray of the message with an id; the newest where several have it.
    func placeInTray(of id: MessageID) -> Int? {
        tray.lastIndex { received[$0 - forgotten - 1].id == id }
    }

    mutating func emptyTray() {
        while !tray.isEmpty { leaveTray(0, as: .gone) }
    }
}

extension MessageContent {
    /// What a newer notification must have to take the place of this one in the tray.
    func trayTag(on platform: DevicePlatform) -> String? {
        platform == .apple ? collapseKey : tag
    }
}

extension DeliveryMoment {
    static let never = DeliveryMoment(milliseconds: .max)

    func advanced(byMilliseconds span: Int64) -> DeliveryMoment {
        let (sum, isTooFar) = milliseconds.addingReportingOverflow(span)
        return DeliveryMoment(milliseconds: isTooFar ? .max : sum)
    }
}
