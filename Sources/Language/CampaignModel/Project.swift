/// Everything that a project's files say.
package struct Project: Sendable {
    package let id: ProjectID
    /// The IANA zone of every schedule that names none.
    package let timeZone: String
    package let topics: [Topic: TopicDescription]
    package let environments: [Environment]
    /// In the order of file path, then place in the file.
    package let campaigns: [Campaign]
    package let audiences: [Audience]
    package let devices: [VirtualDevice]
    /// What becomes of the members of audiences that are gone; at most one for each.
    package let removals: [AudienceRemoval]

    package init(
        id: ProjectID,
        timeZone: String,
        topics: [Topic: TopicDescription],
        environments: [Environment],
        campaigns: [Campaign],
        audiences: [Audience],
        devices: [VirtualDevice],
        removals: [AudienceRemoval] = []
    ) {
        self.id = id
        self.timeZone = timeZone
        self.topics = topics
        self.environments = environments
        self.campaigns = campaigns
        self.audiences = audiences
        self.devices = devices
        self.removals = removals
    }

    package func environment(_ id: EnvironmentID) -> Environment? {
        environments.first { $0.id == id }
    }
}

/// One of the emulator's phones or browsers, as a `devices:` document describes it.
package struct VirtualDevice: Hashable, Sendable {
    package let name: String
    package let platform: Platform
    package let registration: Registration
    package let isOnline: Bool
    package let isInForeground: Bool
    /// Whether it is in Doze; Android devices only.
    package let isDozing: Bool
    /// Whether its app was stopped by force; Android devices only.
    package let isForceStopped: Bool
    /// What the app itself has subscribed to.
    package let topics: [Topic]

    package init(
        name: String,
        platform: Platform,
        registration: Registration,
        isOnline: Bool,
        isInForeground: Bool,
        isDozing: Bool = false,
        isForceStopped: Bool = false,
        topics: [Topic]
    ) {
        self.name = name
        self.platform = platform
        self.registration = registration
        self.isOnline = isOnline
        self.isInForeground = isInForeground
        self.isDozing = isDozing
        self.isForceStopped = isForceStopped
        self.topics = topics
    }
}
