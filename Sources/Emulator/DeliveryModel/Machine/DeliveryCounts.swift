/// Numbers of messages for one device by outcome; every attempt counts once.
package struct DeliveryCounts: Hashable, Sendable {
    package var delivered = 0
    package var collapsed = 0
    package var droppedTtlExpired = 0
    package var droppedTooManyPendingMessages = 0
    package var droppedDeviceInactive = 0
    package var droppedAppForceStopped = 0
    package var droppedUninstalled = 0
    package var droppedUnregistered = 0
    /// Messages whose content was only for other platforms.
    package var nothingForPlatform = 0

    package init() {}

    /// Number of dropped messages, for any reason.
    package var dropped: Int {
        droppedTtlExpired + droppedTooManyPendingMessages + droppedDeviceInactive
            + droppedAppForceStopped + droppedUninstalled + droppedUnregistered
    }

    /// The count of an outcome; `pending` always counts as zero.
    package subscript(outcome: MessageOutcome) -> Int {
        get { Self.place(of: outcome).map { self[keyPath: $0] } ?? 0 }
        set { if let place = Self.place(of: outcome) { self[keyPath: place] = newValue } }
    }

    mutating func add(_ outcome: MessageOutcome) { self[outcome] += 1 }

    private static func place(
        of outcome: MessageOutcome
    ) -> WritableKeyPath<DeliveryCounts, Int>? {
        switch outcome {
        case .pending: nil
        case .delivered: \.delivered
        case .collapsed: \.collapsed
        case .droppedTtlExpired: \.droppedTtlExpired
        case .droppedTooManyPendingMessages: \.droppedTooManyPendingMessages
        case .droppedDeviceInactive: \.droppedDeviceInactive
        case .droppedAppForceStopped: \.droppedAppForceStopped
        case .droppedUninstalled: \.droppedUninstalled
        case .droppedUnregistered: \.droppedUnregistered
        case .nothingForPlatform: \.nothingForPlatform
        }
    }
}
