/// Configurable behaviour of FCM and the devices.
///
/// These options affect what devices receive, and the emulator records them. `DeliveryLimits` has
/// the limits above which FCM refuses requests.
package struct DeliveryOptions: Hashable, Sendable {
    /// What happens to a fan-out if the maximum number of fan-outs is running.
    package enum Excess: String, Hashable, CaseIterable, Sendable {
        case refuse
        /// FCM accepts the fan-out and starts it when another one has ended.
        case `defer`
    }

    /// Milliseconds until messages to a topic reach a new subscriber.
    package var topicPropagation: Int64 = 0
    /// Maximum delay, in milliseconds, of a normal-priority message to an Android app in the
    /// background.
    ///
    /// Each message waits for a part of it that is derived from the seed.
    package var backgroundDelay: Int64 = 0
    /// Maximum delay, in milliseconds, of a background push to an Apple device whose app is in the background.
    ///
    /// APNs does not guarantee their delivery, and promises two or three an hour at most (Apple documentation,
    /// Pushing background updates to your App). The wait is derived as for `backgroundDelay`.
    package var appleBackgroundDelay: Int64 = 0
    package var seed: UInt64 = 0
    /// Whether FCM lowers high priority for an app that shows no notifications.
    package var lowersPriority = false
    /// Whether the limits for a single Android device apply: 240 messages per minute, 5,000 per
    /// hour, and for collapsible messages 20 and then one every 3 minutes.
    package var throttlesDevices = true
    /// Number of devices per second, shared by all running fan-outs.
    ///
    /// About 10,000 is usual (Firebase documentation, Throttling and quotas).
    package var fanOutRate = 10_000
    /// Maximum number of running fan-outs (Firebase documentation, Throttling and quotas).
    package var fanOutsAtOnce = 1_000
    package var excess = Excess.refuse

    package init() {}
}
