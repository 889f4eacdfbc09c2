/// The content of a project's files.
package struct Project: Sendable {
    package let id: ProjectID
    /// The IANA zone of schedules without their own.
    package let timeZone: String
    /// The share of people to whom no campaign is sent; nil without a hold-out.
    package let globalHoldOut: Percentage?
    /// What a recall of a campaign without its own message shows; nil if the author does not write it.
    package let recall: RecallMessage?
    package let topics: [Topic: TopicDescription]
    package let environments: [Environment]
    /// In order of file path, then of place in the file.
    package let campaigns: [Campaign]
    /// Not among `campaigns`: they have neither an audience nor a schedule.
    package let corrections: [Correction]
    package let audiences: [Audience]
    package let devices: [VirtualDevice]
    /// What happens to the members of removed audiences; at most one per audience.
    package let removals: [AudienceRemoval]
    /// The campaigns of the files that do not belong to the environment.
    ///
    /// Empty if the files are not loaded for an environment.
    package let elsewhere: [CampaignID]
    /// The programs and queries whose outputs are lists.
    package let sources: [ListSourceID: ListSource]
    /// What to do with messages of devices.
    package let upstream: [UpstreamRule]

    package init(
        id: ProjectID,
        timeZone: String,
        globalHoldOut: Percentage? = nil,
        recall: RecallMessage? = nil,
        topics: [Topic: TopicDescription],
        environments: [Environment],
        campaigns: [Campaign],
        corrections: [Correction] = [],
        audiences: [Audience],
        devices: [VirtualDevice],
        removals: [AudienceRemoval] = [],
        elsewhere: [CampaignID] = [],
        sources: [ListSourceID: ListSource] = [:],
        upstream: [UpstreamRule] = []
    ) {
        self.id = id
        self.timeZone = timeZone
        self.globalHoldOut = globalHoldOut
        self.recall = recall
        self.topics = topics
        self.environments = environments
        self.campaigns = campaigns
        self.corrections = corrections
        self.audiences = audiences
        self.devices = devices
        self.removals = removals
        self.elsewhere = elsewhere
        self.sources = sources
        self.upstream = upstream
    }

    package func adding(_ others: [Audience]) -> Project {
        Project(
            id: id,
            timeZone: timeZone,
            globalHoldOut: globalHoldOut,
            recall: recall,
            topics: topics,
            environments: environments,
            campaigns: campaigns,
            corrections: corrections,
            audiences: audiences + others,
            devices: devices,
            removals: removals,
            elsewhere: elsewhere,
            sources: sources,
            upstream: upstream
        )
    }

    package func environment(_ id: EnvironmentID) -> Environment? {
        environments.first { $0.id == id }
    }
}

/// A virtual phone or browser of the emulator, from a `devices:` document.
package struct VirtualDevice: Hashable, Sendable {
    package let name: String
    package let platform: Platform
    package let registration: Registration
    package let isOnline: Bool
    package let isInForeground: Bool
    /// Whether the device is in Doze; Android only.
    package let isDozing: Bool
    /// Whether the user stopped the app by force; Android only.
    package let isForceStopped: Bool
    /// The topics that the app subscribed to by itself.
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
