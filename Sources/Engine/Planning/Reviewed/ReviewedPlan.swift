package import CampaignModel
package import State
package import JSON

/// All of a plan that a reviewer agrees to, and nothing that changes by itself.
///
/// The clock, the state's serial, what earlier runs began, and campaigns that stay as they are don't
/// stand in it, so that it stays the same until somebody changes what would be done.
package struct ReviewedPlan: Hashable, Sendable {
    /// JSON, the members of every object in the order of their keys' bytes.
    package let content: JSONValue
    /// The first 40 hexadecimal digits of the SHA-256 of the content in compact JSON.
    package let hash: String
    package let head: Head
    /// By the campaign's name.
    package let campaigns: [CampaignID: JSONValue]
    package let memberships: [MembershipScope: JSONValue]
    package let guards: [JSONValue]

    /// What the plan is for; one for something else is never carried out here.
    package struct Head: Hashable, Sendable {
        package let project: String
        package let environment: String
        package let lineage: String
        /// Firebase's name of the project, or `emulator`.
        package let projectID: String
    }

    /// Of the content; another number has other members.
    package static let format: Int64 = 1

    init(
        head: Head,
        campaigns: [ReviewedCampaign] = [],
        memberships: [MembershipScope: JSONValue] = [:],
        guards: [JSONValue] = []
    ) {
        self.head = head
        self.memberships = memberships
        self.guards = guards
        let named = campaigns.map { ($0.campaign, $0.content) }
        self.campaigns = Dictionary(named, uniquingKeysWith: { first, _ in first })
        content = Self.content(head, self.campaigns, memberships, guards)
        hash = Self.hash(of: content)
    }

    /// What content of whatever format is known by.
    package static func hash(of content: JSONValue) -> String {
        String(ContentHash.of(content).prefix(PlanDigest.length))
    }

    /// Of a whole JSON plan, as it is without its `checksum`: whoever edits what people read, and
    /// not what is compared, is found out.
    package static func checksum(of plan: JSONObject) -> String {
        var plan = plan
        plan["checksum"] = nil
        return ContentHash.of(JSONValue.object(plan).sortedByKey)
    }

    private static func content(
        _ head: Head,
        _ campaigns: [CampaignID: JSONValue],
        _ memberships: [MembershipScope: JSONValue],
        _ guards: [JSONValue]
    ) -> JSONValue {
        let value: JSONValue = .object([
            "format": .integer(format),
            "project": .string(head.project),
            "environment": .string(head.environment),
            "lineage": .string(head.lineage),
            "project_id": .string(head.projectID),
            "campaigns": .array(campaigns.sorted { $0.key < $1.key }.map(\.value)),
            "memberships": .array(memberships.sorted { $0.key < $1.key }.map(\.value)),
            "guards": .array(guards),
        ])
        return value.sortedByKey
    }

    /// Of no project.
    static let nothing = ReviewedPlan(
        head: Head(project: "", environment: "", lineage: "", projectID: "")
    )

    /// Whether carrying it out changes no definition and no membership.
    package var isEmpty: Bool { campaigns.isEmpty && memberships.isEmpty }
}

// MARK: - As it was kept or written

extension ReviewedPlan {
    /// Nil where this is not the content of a reviewed plan of this format.
    package init?(content: JSONValue) {
        guard content["format"] == .integer(Self.format), let head = Head(content),
            let campaigns = content["campaigns"]?.arrayValue,
            let memberships = content["memberships"]?.arrayValue,
            let guards = content["guards"]?.arrayValue
        else { return nil }
        let named = campaigns.compactMap { part in
            part["campaign"]?.stringValue.flatMap(CampaignID.init).map { ($0, part) }
        }
        let scoped = memberships.compactMap { part in
            MembershipScope(part).map { ($0, part) }
        }
        guard named.count == campaigns.count, scoped.count == memberships.count else { return nil }
        self.head = head
        self.campaigns = Dictionary(named, uniquingKeysWith: { first, _ in first })
        self.memberships = Dictionary(scoped, uniquingKeysWith: { first, _ in first })
        self.guards = guards
        self.content = content.sortedByKey
        hash = Self.hash(of: content)
    }
}

extension ReviewedPlan.Head {
    fileprivate init?(_ content: JSONValue) {
        guard let project = content["project"]?.stringValue,
            let environment = content["environment"]?.stringValue,
            let lineage = content["lineage"]?.stringValue,
            let projectID = content["project_id"]?.stringValue
        else { return nil }
        self.init(
            project: project,
            environment: environment,
            lineage: lineage,
            projectID: projectID
        )
    }
}

extension MembershipScope {
    fileprivate init?(_ part: JSONValue) {
        guard let audience = part["audience"]?.stringValue.flatMap(AudienceID.init),
            let topic = part["topic"]?.stringValue.flatMap(Topic.init)
        else { return nil }
        self.init(audience: audience, topic: topic)
    }

    fileprivate static func < (left: MembershipScope, right: MembershipScope) -> Bool {
        (left.audience.rawValue, left.topic.name) < (right.audience.rawValue, right.topic.name)
    }
}
