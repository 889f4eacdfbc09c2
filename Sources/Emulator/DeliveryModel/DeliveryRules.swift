/// Fixed numbers of FCM.
package enum DeliveryRules {
    /// Maximum number of messages without a collapse key that wait for an Android device (Firebase
    /// documentation, Non-collapsible and collapsible messages).
    package static let androidMessagesWithoutKey = 100
    /// Maximum number of collapse keys of messages that wait for an Android device (same page).
    package static let collapseKeys = 4
    /// Maximum number of messages that the model stores for an Apple device or a browser.
    ///
    /// FCM documents no limit. The model sets one to bound its memory.
    package static let otherStoredMessages = 1_000
    /// Maximum burst of collapsible messages for an app on a device (Firebase documentation,
    /// Throttling and quotas).
    package static let collapsibleBurst = 20
    /// Milliseconds between two collapsible messages after a burst (same page).
    package static let collapsibleInterval: Int64 = 180_000
    /// Maximum numbers of messages for one Android device (same page).
    package static let messagesPerMinute = 240
    package static let messagesPerHour = 5_000
    /// Milliseconds of silence after which messages are dropped: a month of 30 days (Firebase
    /// documentation, About FCM messages).
    package static let silence: Int64 = 30 * day
    /// Milliseconds after the last dropped data message within which a returning device is notified
    /// of deleted messages (same page).
    package static let memoryOfSilence: Int64 = 28 * day
    /// Milliseconds of silence after which the registration of an Android device expires (Firebase
    /// documentation, Best practices for registration management).
    package static let registrationLife: Int64 = 270 * day
    /// Delay between the first attempt and the APNs report of a removed app.
    ///
    /// APNs reports removals late and does not publish the delay. One day is the model's choice.
    package static let appleNotice: Int64 = day
    /// Period in which an app's handling of high-priority messages is considered (Android
    /// documentation, Set and manage message priority).
    package static let priorityMemory: Int64 = 7 * day
    /// Maximum number of one app's notifications in the tray; the oldest is removed first.
    ///
    /// This is the model's choice.
    package static let shownAtOnce = 50

    static let day: Int64 = 86_400_000
}
