package import Time

/// A target that a project is applied to.
package struct Environment: Hashable, Sendable {
    package enum Endpoint: Hashable, Sendable {
        /// The emulator of this project: the running one, or one started in this process.
        case embeddedEmulator
        /// An emulator at this base URL, without a trailing slash.
        ///
        /// Without credentials, requests use a fixed token.
        case emulator(url: String, authority: String?, credentials: FCMAccount.Credentials?)
        case fcm(FCMAccount)
        /// It depends on variables that were not resolved, because another environment is selected.
        case unresolved
    }

    package let id: EnvironmentID
    package let endpoint: Endpoint
    package let settings: EnvironmentSettings

    package init(
        id: EnvironmentID,
        endpoint: Endpoint,
        settings: EnvironmentSettings = .standard
    ) {
        self.id = id
        self.endpoint = endpoint
        self.settings = settings
    }

    /// The quotas to use.
    ///
    /// Herald waits for the fan-outs of an emulator only if its `pace` is set.
    package var pace: Pace {
        if let pace = settings.pace { return pace }
        var pace = Pace.standard
        switch endpoint {
        case .embeddedEmulator, .emulator: pace.holdsFanOuts = false
        case .fcm, .unresolved: break
        }
        return pace
    }

    /// Seconds between a join and a send to the same topic.
    ///
    /// FCM specifies no bound for the time until a join takes effect; an emulator needs none.
    package var settle: Int64 {
        if let settle = settings.settle { return settle }
        return switch endpoint {
        case .embeddedEmulator, .emulator: 0
        case .fcm, .unresolved: 60
        }
    }
}

/// A Firebase project and the credentials to send for it.
package struct FCMAccount: Hashable, Sendable {
    package let projectID: String
    /// The project's number, which device groups and XMPP need.
    package let senderID: String?
    package let credentials: Credentials
    /// The server that replaces Google's hosts for all requests: scheme, host and port.
    package let endpoint: String?

    /// The place of credentials, never the credentials themselves.
    package enum Credentials: Hashable, Sendable {
        case applicationDefault
        /// The path of a key file.
        case file(path: String)
        /// An environment variable that contains a key.
        case variable(name: String)
    }

    package init(
        projectID: String,
        senderID: String?,
        credentials: Credentials,
        endpoint: String? = nil
    ) {
        self.projectID = projectID
        self.senderID = senderID
        self.credentials = credentials
        self.endpoint = endpoint
    }
}

/// An environment's settings, except its endpoint.
package struct EnvironmentSettings: Hashable, Sendable {
    package enum Sends: String, Hashable, Sendable, CaseIterable {
        case apply
        case run
    }

    package let state: StateLocation
    /// Whether `apply` asks for the environment's name.
    package let isProtected: Bool
    package let sends: Sends
    /// nil if not set.
    package let pace: Pace?
    package let guards: Guards
    /// Seconds between a join and a send to the same topic; nil means the default.
    package let settle: Int64?
    /// The largest number of requests that a crash may leave unknown.
    package let maximumUnknown: Int
    /// Nil if nothing is reported.
    package let notify: NotifySettings?
    /// Nil if no messages of devices are received.
    package let upstream: UpstreamAccount?

    package static let standardMaximumUnknown = 4_000
    package static let maximumUnknownRange: ClosedRange<Int64> = 2...100_000

    /// In seconds.
    package static let settleRange: ClosedRange<Int64> = 0...3_600

    package init(
        state: StateLocation,
        isProtected: Bool,
        sends: Sends,
        pace: Pace?,
        guards: Guards,
        settle: Int64?,
        maximumUnknown: Int = Self.standardMaximumUnknown,
        notify: NotifySettings? = nil,
        upstream: UpstreamAccount? = nil
    ) {
        self.state = state
        self.isProtected = isProtected
        self.sends = sends
        self.pace = pace
        self.guards = guards
        self.settle = settle
        self.maximumUnknown = maximumUnknown
        self.notify = notify
        self.upstream = upstream
    }

    package static let standard = EnvironmentSettings(
        state: StateLocation(store: .sqlite, lineage: nil, encryption: nil),
        isProtected: false,
        sends: .apply,
        pace: nil,
        guards: Guards(
            maximumRecipients: nil,
            maximumChange: nil,
            quietHours: nil,
            cap: nil,
            requiresReviewedPlan: false,
            maximumSends: nil,
            allowsTest: false
        ),
        settle: nil
    )
}

/// A database address, which may contain a password and is never printed.
package struct DatabaseAddress: Hashable, Sendable, CustomStringConvertible,
    CustomDebugStringConvertible, CustomReflectable
{
    package let url: String

    /// - Parameter text: `postgresql://…` or `postgres://…`.
    package init?(_ text: String) {
        let schemes = ["postgres://", "postgresql://"]
        guard schemes.contains(where: { text.hasPrefix($0) && text.count > $0.count }) else {
            return nil
        }
        url = text
    }

    package var description: String { "<redacted>" }
    package var debugDescription: String { "<redacted>" }
    package var customMirror: Mirror { Mirror(self, children: [:]) }
}

/// The place of the applied state.
package struct StateLocation: Hashable, Sendable {
    package enum Store: Hashable, Sendable {
        /// `.herald/ENVIRONMENT.sqlite`
        case sqlite
        /// nil if the address depends on a variable that was not resolved.
        case postgres(DatabaseAddress?)
    }

    package let store: Store
    /// The lineage of the expected state.
    package let lineage: String?
    /// nil if registrations are stored without encryption.
    package let encryption: StateEncryption?
    /// Seconds to keep the outcomes of single requests; nil means forever.
    package let retain: Int64?

    /// One day.
    package static let shortestRetention: Int64 = 86_400

    package init(
        store: Store,
        lineage: String?,
        encryption: StateEncryption?,
        retain: Int64? = nil
    ) {
        self.store = store
        self.lineage = lineage
        self.encryption = encryption
        self.retain = retain
    }
}

/// The key that encrypts registrations at rest.
package struct StateEncryption: Hashable, Sendable {
    /// nil if it depends on a variable that was not resolved.
    package let key: StateKeyReference?
    /// The previous key, which may still encrypt the state.
    package let previous: StateKeyReference?

    package init(key: StateKeyReference?, previous: StateKeyReference?) {
        self.key = key
        self.previous = previous
    }
}

/// The place of a key, never the key itself.
package enum StateKeyReference: Hashable, Sendable {
    /// An environment variable that contains the key.
    case variable(name: String)
    /// The path of a file.
    case file(path: String)
    /// A shell command that prints the key.
    case command(String)
}

/// The part of an FCM project's quotas to use.
package struct Pace: Hashable, Sendable {
    /// Messages per minute (Firebase documentation, Throttling and quotas: 600,000).
    package let sendsPerMinute: Int
    package static let sendsPerMinuteRange: ClosedRange<Int64> = 1...100_000_000
    /// Registrations to join or leave (Firebase documentation, About FCM messages: 3,000).
    package let subscriptionsPerSecond: Int
    /// The number of concurrent topic, condition and group sends.
    ///
    /// FCM recommends one and allows 1,000 (Firebase documentation, About FCM messages).
    package let fanOuts: Int
    /// The number of app instances that a fan-out reaches per second.
    ///
    /// About 10,000 (Firebase documentation, Topic messaging).
    package let fanOutRate: Int
    /// Whether a fan-out waits until the earlier ones are estimated to have ended.
    package var holdsFanOuts = true

    package init(
        sendsPerMinute: Int,
        subscriptionsPerSecond: Int,
        fanOuts: Int,
        fanOutRate: Int = 10_000
    ) {
        self.sendsPerMinute = sendsPerMinute
        self.subscriptionsPerSecond = subscriptionsPerSecond
        self.fanOuts = fanOuts
        self.fanOutRate = fanOutRate
    }

    package static let standard = Pace(
        sendsPerMinute: 600_000,
        subscriptionsPerSecond: 3_000,
        fanOuts: 1
    )
    package static let maximumFanOuts = 1_000

    /// The same pace with a part of the messages per minute, at least one.
    package func sending(_ share: Percentage) -> Pace {
        sending(perMinute: share.share(of: sendsPerMinute))
    }

    /// The same pace with another number of messages per minute, at least one.
    package func sending(perMinute count: Int) -> Pace {
        var pace = Pace(
            sendsPerMinute: max(1, count),
            subscriptionsPerSecond: subscriptionsPerSecond,
            fanOuts: fanOuts,
            fanOutRate: fanOutRate
        )
        pace.holdsFanOuts = holdsFanOuts
        return pace
    }
}

/// The limits of an apply.
package struct Guards: Hashable, Sendable {
    /// Per campaign.
    package let maximumRecipients: Int?
    /// Per managed membership and apply.
    package let maximumChange: Percentage?
    package let quietHours: QuietHours?
    /// Of messages to one person.
    package let cap: FrequencyCap?
    package let requiresReviewedPlan: Bool
    /// The maximum number of messages that one apply requests from FCM.
    package let maximumSends: Int?
    /// Whether campaigns may address test audiences even though the environment is protected.
    package let allowsTest: Bool
    /// Nil if no approvals are needed.
    package let approvals: ApprovalRules?

    package init(
        maximumRecipients: Int?,
        maximumChange: Percentage?,
        quietHours: QuietHours?,
        cap: FrequencyCap?,
        requiresReviewedPlan: Bool,
        maximumSends: Int?,
        allowsTest: Bool,
        approvals: ApprovalRules? = nil
    ) {
        self.maximumRecipients = maximumRecipients
        self.maximumChange = maximumChange
        self.quietHours = quietHours
        self.cap = cap
        self.requiresReviewedPlan = requiresReviewedPlan
        self.maximumSends = maximumSends
        self.allowsTest = allowsTest
        self.approvals = approvals
    }
}

/// A range of times of day; it passes midnight if the second is earlier.
package struct QuietHours: Hashable, Sendable {
    package let from: CivilTime
    package let to: CivilTime
    /// Sends that were held begin within this time after the end, in seconds.
    package let spread: Int64

    package init(from: CivilTime, to: CivilTime, spread: Int64 = Self.standardSpread) {
        self.from = from
        self.to = to
        self.spread = spread
    }

    package static let standardSpread: Int64 = 600
}
