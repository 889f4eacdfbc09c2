/// The state of a device that was sent at least one message.
struct Traffic: EmptyInitializable {
    var queue = PendingQueue()
    /// The time when the next work falls due, or an earlier time.
    var due = DeliveryMoment.never
    var received: [ReceivedMessage] = []
    /// The numbers of the messages in the tray, oldest first.
    var tray: [Int] = []
    private var delivered = 0
    /// Collapsible messages, on Android only.
    var collapsible = RateWindow()
    /// All messages; on Apple devices only if a limit is set.
    var rates = RateLog()
    /// State that only devices with undelivered messages have.
    private var trouble = LazyBox<UndeliveredMessages>()

    /// Maximum number of dropped messages that are stored.
    static let rememberedDrops = 100

    mutating func remember(_ message: DroppedMessage) {
        trouble.value.counts.add(message.outcome)
        let limit = Self.rememberedDrops
        if dropped.count >= 2 * limit { trouble.value.dropped.removeFirst(limit) }
        trouble.value.dropped.append(message)
    }

    /// Adds a received message; a notification may replace another one in the tray.
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

    /// Returns the position in the tray of the newest notification with a message ID.
    func placeInTray(of id: MessageID) -> Int? {
        tray.lastIndex { received[$0 - forgotten - 1].id == id }
    }

    mutating func emptyTray() {
        while !tray.isEmpty { leaveTray(0, as: .gone) }
    }
}

extension Traffic {
    /// The undelivered messages of a device and their consequences.
    private struct UndeliveredMessages: EmptyInitializable {
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

    /// Number of older received messages that were discarded.
    var forgotten: Int {
        get { trouble.value.forgotten }
        set { if newValue != forgotten { trouble.value.forgotten = newValue } }
    }

    var dropped: [DroppedMessage] {
        get { trouble.value.dropped }
        set { if !(dropped.isEmpty && newValue.isEmpty) { trouble.value.dropped = newValue } }
    }

    /// The time when the newest data message was dropped because of the device's silence.
    var missedData: DeliveryMoment? {
        get { trouble.value.missedData }
        set { if newValue != missedData { trouble.value.missedData = newValue } }
    }

    /// Whether the app must still be notified of deleted messages.
    var owesNotice: Bool {
        get { trouble.value.owesNotice }
        set { if newValue != owesNotice { trouble.value.owesNotice = newValue } }
    }

    /// Number of deleted-messages notices to the app.
    var notices: Int {
        get { trouble.value.notices }
        set { if newValue != notices { trouble.value.notices = newValue } }
    }

    /// The time of the last deleted-messages notice.
    var lastNotice: DeliveryMoment? {
        get { trouble.value.lastNotice }
        set { if newValue != lastNotice { trouble.value.lastNotice = newValue } }
    }
}

extension MessageContent {
    /// Returns the tag with which a newer notification replaces this one in the tray.
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
