/// How FCM and the devices behave, where that can be set.
///
/// What changes what devices receive is here, and is part of the emulator's record; what FCM
/// refuses is in `DeliveryLimits`.
package struct DeliveryOptions: Hashable, Sendable {
    /// What becomes of a fan-out when as many run as may.
    package enum Excess: String, Hashable, CaseIterable, Sendable {
        case refuse
        /// It is accepted, and begins when another one has ended.
        case `defer`
    }

    /// Milliseconds until messages to a topic find a new subscriber.
    package var topicPropagation: Int64 = 0
    /// The longest wait, in milliseconds, of a message of normal priority for an Android app in
    /// the background; each waits a part of it that follows from the seed.
    package var backgroundDelay: Int64 = 0
    package var seed: UInt64 = 0
    /// Whether high priority is lowered for an app that shows nothing.
    package var lowersPriority = false
    /// Whether the limits for a single Android device hold: 240 messages a minute, 5,000 an hour,
    /// and of collapsible ones 20 and then one every 3 minutes.
    package var throttlesDevices = true
    /// Devices a second, shared by the fan-outs that run.
    ///
    /// About 10,000 is usual (Firebase documentation, Throttling and quotas).
    package var fanOutRate = 10_000
    /// Firebase documentation, Throttling and quotas.
    package var fanOutsAtOnce = 1_000
    package var excess = Excess.refuse

    package init() {}
}

/// Numbers of FCM's that nobody can set.
package enum DeliveryRules {
    /// Messages without a collapse key that wait for an Android device (Firebase documentation,
    /// Non-collapsible and collapsible messages).
    package static let storedMessages = 100
    /// Collapse keys of messages that wait for an Android device (same place).
    package static let collapseKeys = 4
    /// Messages that the model keeps for an Apple device or a browser: no limit is known, and
    /// memory must not grow with what is sent.
    package static let storedElsewhere = 1_000
    /// Collapsible messages at once for an app on a device (Firebase documentation, Throttling
    /// and quotas).
    package static let collapsibleBurst = 20
    /// After a burst one comes in so many milliseconds (same place).
    package static let collapsibleInterval: Int64 = 180_000
    /// Messages for one Android device (same place).
    package static let messagesPerMinute = 240
    package static let messagesPerHour = 5_000
    /// Milliseconds of silence after which messages are dropped: a month of 30 days (Firebase
    /// documentation, About FCM messages).
    package static let silence: Int64 = 30 * day
    /// A device that is back so soon after its last data message is told of what was dropped
    /// (same place).
    package static let memoryOfSilence: Int64 = 28 * day
    /// A registration of an Android device that was silent for so long has expired (Firebase
    /// documentation, Best practices for registration management).
    package static let registrationLife: Int64 = 270 * day
    /// How long after the first attempt APNs tells of a removed app: it tells late, and when is
    /// not published; a day is the model's choice.
    package static let appleNotice: Int64 = day
    /// How far back the behaviour of an app with high priority is looked at (Android
    /// documentation, Set and manage message priority).
    package static let priorityMemory: Int64 = 7 * day
    /// Notifications of one app in the tray; the oldest leaves it: the model's choice.
    package static let shownAtOnce = 50

    static let day: Int64 = 86_400_000
}
