package import CampaignModel
package import JSON

/// The settings of an environment and its project as the last apply had them, so that runs without
/// the files can send.
///
/// Credentials and keys are stored as references only.
package struct AppliedEnvironment: Sendable {
    package let environment: Environment
    /// The project without campaigns and audiences.
    package let project: Project
    /// What to do with messages of devices.
    package var upstream: [UpstreamRule] { project.upstream }

    package init(_ environment: Environment, of project: Project) {
        self.environment = environment
        self.project = Project(
            id: project.id,
            timeZone: project.timeZone,
            globalHoldOut: project.globalHoldOut,
            topics: project.topics,
            environments: [environment],
            campaigns: [],
            audiences: [],
            devices: [],
            upstream: project.upstream
        )
    }

    /// The form that the state stores.
    package var stored: JSONValue {
        let topics = project.topics.sorted { $0.key < $1.key }.compactMap { topic, description in
            description.reach.map {
                JSONObject.Member(key: topic.name, value: .integer(Int64($0)))
            }
        }
        var stored: JSONObject = [
            "project": .string(project.id.rawValue),
            "timezone": .string(project.timeZone),
            "reach": .object(JSONObject(topics)),
            "environment": .string(environment.id.rawValue),
            "endpoint": environment.endpoint.stored,
            "settings": environment.settings.stored,
        ]
        if !upstream.isEmpty { stored["upstream"] = .array(upstream.map(\.stored)) }
        stored["global_holdout"] = project.globalHoldOut.map { .string($0.description) }
        return .object(stored)
    }

    /// Nil if it is unreadable.
    package init?(stored: JSONValue) {
        guard let name = stored["project"]?.stringValue.flatMap({ ProjectID($0) }),
            let zone = stored["timezone"]?.stringValue,
            let id = stored["environment"]?.stringValue.flatMap({ EnvironmentID($0) }),
            let endpoint = stored["endpoint"].flatMap(Environment.Endpoint.init(stored:)),
            let settings = stored["settings"].flatMap(EnvironmentSettings.init(stored:))
        else { return nil }
        var topics: [Topic: TopicDescription] = [:]
        for member in stored["reach"]?.objectValue?.members ?? [] {
            guard let topic = Topic(member.key), let reach = member.value.integerValue else {
                return nil
            }
            topics[topic] = TopicDescription(about: nil, reach: Int(reach))
        }
        let rules = stored["upstream"]?.arrayValue ?? []
        let upstream = rules.compactMap(UpstreamRule.init(stored:))
        guard upstream.count == rules.count else { return nil }
        let environment = Environment(id: id, endpoint: endpoint, settings: settings)
        self.environment = environment
        project = Project(
            id: name,
            timeZone: zone,
            globalHoldOut: stored["global_holdout"]?.stringValue.flatMap { Percentage($0) },
            topics: topics,
            environments: [environment],
            campaigns: [],
            audiences: [],
            devices: [],
            upstream: upstream
        )
    }

    /// The project with these campaigns, audiences and virtual devices.
    package func project(
        with campaigns: [Campaign],
        audiences: [Audience] = [],
        devices: [VirtualDevice] = []
    ) -> Project {
        Project(
            id: project.id,
            timeZone: project.timeZone,
            globalHoldOut: project.globalHoldOut,
            topics: project.topics,
            environments: project.environments,
            campaigns: campaigns,
            audiences: audiences,
            devices: devices,
            upstream: project.upstream
        )
    }
}
