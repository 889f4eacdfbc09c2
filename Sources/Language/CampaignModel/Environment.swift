package import Time

/// Where a project is applied.
package struct Environment: Hashable, Sendable {
    package enum Endpoint: Hashable, Sendable {
        /// The emulator of this project: the one that is running, else one started inside.
        case embeddedEmulator
        /// An emulator at this base URL, without a slash at its end; without credentials it is
        /// asked with a fixed token.
        case emulator(url: String, authority: String?, credentials: FCMAccount.Credentials?)
        case fcm(FCMAccount)
        /// It depends on variables that were not looked up, because another environment is in use.
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

    /// The quotas that are used; the fan-outs of an emulator are waited for only where its `pace`
    /// is said.
    package var pace: Pace {
        if let pace = settings.pace { return pace }
        var pace = Pace.standard
        switch endpoint {
        case .embeddedEmulator, .emulator: pace.holdsFanOuts = false
        case .fcm, .unresolved: break
        }
        return pace
    }

    /// Seconds that pass between a join and a send to the same topic.
    ///
    /// FCM states no bound for the time until a join counts; an emulator needs none.
    package var settle: Int64 {
        if let settle = settings.settle { return settle }
        return switch endpoint {
        case .embeddedEmulator, .emulator: 0
        case .fcm, .unresolved: 60
        }
    }
}

/// A Firebase project and who may send for it.
package struct FCMAccount: Hashable, Sendable {
    package let projectID: String
    /// The project's number: device groups and XMPP need it.
    package let senderID: String?
    package let credentials: Credentials
    /// What takes everything in place of Google's hosts: scheme, host and port.
    package let endpoint: String?

    /// Where credentials come from: never the credentials themselves.
    package enum Credentials: Hashable, Sendable {
        case applicationDefault
        /// The path of a key file.
        case file(path: String)
        /// An environment variable that holds a key.
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

/// What an environment says beside where it is.
package struct EnvironmentSettings: Hashable, Sendable {
    package enum Sends: String, Hashable, Sendable, CaseIterable {
        case apply
        case run
    }

    package let state: StateLocation
    /// Apply asks for the environment's name.
    package let isProtected: Bool
    package let sends: Sends
    /// Nil where nothing is said of it.
    package let pace: Pace?
    package let guards: Guards
    /// Seconds between a join and a send to the same topic; nil where the default applies.
    package let settle: Int64?

    /// In seconds.
    package static let settleRange: ClosedRange<Int64> = 0...3_600

    package init(
        state: StateLocation,
        isProtected: Bool,
        sends: Sends,
        pace: Pace?,
        guards: Guards,
        settle: Int64?
    ) {
        self.state = state
        self.isProtected = isProtected
        self.sends = sends
        self.pace = pace
        self.guards = guards
        self.settle = settle
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
            perDay: nil,
            perWeek: nil,
            requiresReviewedPlan: false,
            maximumSends: nil,
            allowsTest: false
        ),
        settle: nil
    )
}

/// A database's address, which may hold a password: it never prints.
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

/// Where the applied state is kept.
package struct StateLocation: Hashable, Sendable {
    package enum Store: Hashable, Sendable {
        /// `.herald/ENVIRONMENT.sqlite`
        case sqlite
        case postgres(DatabaseAddress)
    }

    package let store: Store
    /// The state that is expected there.
    package let lineage: String?
    /// Nil where registrations are kept as they are.
    package let encryption: StateEncryption?
    /// Seconds for which the outcomes of single requests are kept; nil for ever.
    package let retain: Int64?

    /// A day.
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

/// Where the key lies with which registrations are encrypted at rest.
package struct StateEncryption: Hashable, Sendable {
    /// Nil where it hangs on a variable that was not looked up.
    package let key: StateKeyReference?
    /// The key before, under which the state may still be.
    package let previous: StateKeyReference?

    package init(key: StateKeyReference?, previous: StateKeyReference?) {
        self.key = key
        self.previous = previous
    }
}

/// Where a key lies: never the key itself.
package enum StateKeyReference: Hashable, Sendable {
    /// An environment variable that holds the key.
    case variable(name: String)
    /// The path of a file.
    case file(path: String)
    /// A command of the shell that writes the key.
    case command(String)
}

/// The quotas of an FCM project that are used.
package struct Pace: Hashable, Sendable {
    /// Messages (Firebase documentation, Throttling and quotas: 600,000).
    package let sendsPerMinute: Int
    /// Registrations joined or taken out (Firebase documentation, About FCM messages: 3,000).
    package let subscriptionsPerSecond: Int
    /// Topic, condition and group sends at once (Firebase documentation, About FCM messages: one
    /// is advised, 1,000 are allowed).
    package let fanOuts: Int
    /// App instances that a fan-out reaches in a second (Firebase documentation, Topic messaging:
    /// about 10,000).
    package let fanOutRate: Int
    /// A fan-out waits until those before it are taken to have ended.
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
}

/// What an apply may not exceed.
package struct Guards: Hashable, Sendable {
    /// Of one campaign.
    package let maximumRecipients: Int?
    /// Of a managed membership in one apply.
    package let maximumChange: Percentage?
    package let quietHours: QuietHours?
    /// Messages to one person.
    package let perDay: Int?
    package let perWeek: Int?
    package let requiresReviewedPlan: Bool
    /// Messages that one apply asks FCM for.
    package let maximumSends: Int?
    /// Campaigns may address what is `test: true`, though the environment is protected.
    package let allowsTest: Bool

    package init(
        maximumRecipients: Int?,
        maximumChange: Percentage?,
        quietHours: QuietHours?,
        perDay: Int?,
        perWeek: Int?,
        requiresReviewedPlan: Bool,
        maximumSends: Int?,
        allowsTest: Bool
    ) {
        self.maximumRecipients = maximumRecipients
        self.maximumChange = maximumChange
        self.quietHours = quietHours
        self.perDay = perDay
        self.perWeek = perWeek
        self.requiresReviewedPlan = requiresReviewedPlan
        self.maximumSends = maximumSends
        self.allowsTest = allowsTest
    }
}

/// From one time of day to another, over midnight where the second is the earlier one.
package struct QuietHours: Hashable, Sendable {
    package let from: CivilTime
    package let to: CivilTime

    package init(from: CivilTime, to: CivilTime) {
        self.from = from
        self.to = to
    }
}
