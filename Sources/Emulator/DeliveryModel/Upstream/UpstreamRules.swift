/// The limits of messages from devices to their app server.
package enum UpstreamRules {
    /// Waiting messages of an Android device without a connection (`ERROR_TOO_MANY_MESSAGES`).
    ///
    /// The documents set no limit for Apple devices.
    package static let waitingOnAndroid = 20
    /// Messages of one device in 60 seconds (Firebase documentation, About FCM messages).
    package static let messagesPerDevice = 1_000
    /// Messages of one project in 60 seconds (Firebase documentation, About FCM messages).
    package static let messagesPerProject = 1_500_000
    /// The limit of the JSON text that an app server receives, in bytes.
    package static let messageBytes = 4_096
    /// In seconds: four weeks.
    package static let timeToLive: ClosedRange<Int64> = 0...2_419_200
    /// How long FCM tries to deliver a message with a time to live of 0, in seconds.
    ///
    /// The documents do not define it.
    static let singleAttempt: Int64 = 10
    /// How long the responses to an app are gathered, in milliseconds.
    ///
    /// FCM batches them; the documents do not define the time.
    package static let batch: Int64 = 1_000

    /// Unfinished messages of a project; the emulator accepts no more.
    package static let openMessages = 100_000
    /// Finished messages of a device that stay visible.
    package static let finishedMessages = 100

    static let perDevice = RateLimit(messages: messagesPerDevice, interval: 60_000)
    static let perProject = RateLimit(messages: messagesPerProject, interval: 60_000)

    /// The limits of app servers (Firebase documentation, Throttling and scaling; XMPP server
    /// protocol, flow control).
    package static let connectsPerMinute = 400
    package static let connections = 2_500
    package static let unacknowledged = 100
}
