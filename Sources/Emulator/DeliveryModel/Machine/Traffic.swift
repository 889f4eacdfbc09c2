/// What a device has that something was ever sent to.
struct Traffic: Emptiable {
    var queue = PendingQueue()
    /// Not after the moment at which something falls due.
    var due = DeliveryMoment.never
    var received: [ReceivedMessage] = []
    /// The numbers of the messages that are in the tray, the oldest first.
    var tray: [Int] = []
    private var delivered = 0
    /// Collapsible messages, of an Android device.
    var collapsible = RateWindow()
    /// Messages of any kind; of an Apple device only where a limit is set.
    var minute = RateWindow()
    var hour = RateWindow()
    /// What a device has only where not everything went well.
    private var trouble = Seldom<Trouble>()

    /// So many that were dropped are remembered.
    static let droppedLimit = 100

    mutating func remember(_ message: DroppedMessage) {
        trouble.value.counts.add(message.outcome)
        let limit = Self.droppedLimit
        if dropped.count >= 2 * limit { trouble.value.dropped.removeFirst(limit) }
        trouble.value.dropped.append(message)
    }

    /// Adds to what was received; what is shown may take the place of what is in the tray.
    mutating func receive(_ message: ReceivedMessage, on platform: DevicePlatform) {
        delivered += 1
        let gone = received.makeRoom()
        if gone > 0 {
            let last = forgotten + gone
            forgotten = last
            tray.removeAll { $0 <= last }
        }
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

extension Traffic {
    /// What became of messages, but for those that were delivered, and what follows from that.
    private struct Trouble: Emptiable {
        var forgotten = 0
        var dropped: [DroppedMessage] = []
        var counts = DeliveryCounts()
        var missedData: DeliveryMoment?
        var owesNotice = false
        var notices = 0
        var lastNotice: DeliveryMoment?
    }

    var counts: DeliveryCounts {
        get {
            var counts = trouble.value.counts
            counts.delivered = delivered
            return counts
        }
        set {
            delivered = newValue.delivered
            var others = newValue
            others.delivered = 0
            if others != trouble.value.counts { trouble.value.counts = others }
        }
    }

    /// How many messages came before those that are remembered.
    var forgotten: Int {
        get { trouble.value.forgotten }
        set { if newValue != forgotten { trouble.value.forgotten = newValue } }
    }

    var dropped: [DroppedMessage] {
        get { trouble.value.dropped }
        set { if !(dropped.isEmpty && newValue.isEmpty) { trouble.value.dropped = newValue } }
    }

    /// When the newest data message was dropped because the device had been silent.
    var missedData: DeliveryMoment? {
        get { trouble.value.missedData }
        set { if newValue != missedData { trouble.value.missedData = newValue } }
    }

    /// Whether the app is to be told that messages were discarded.
    var owesNotice: Bool {
        get { trouble.value.owesNotice }
        set { if newValue != owesNotice { trouble.value.owesNotice = newValue } }
    }

    /// How often the app was told.
    var notices: Int {
        get { trouble.value.notices }
        set { if newValue != notices { trouble.value.notices = newValue } }
    }

    /// When the app was told last.
    var lastNotice: DeliveryMoment? {
        get { trouble.value.lastNotice }
        set { if newValue != lastNotice { trouble.value.lastNotice = newValue } }
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
