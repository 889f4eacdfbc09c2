package import CampaignModel
package import JSON
package import State

/// Everything in a plan that a reviewer approves, without the parts that change by themselves.
///
/// The clock, the state's serial, work that earlier runs started, and unchanged campaigns are not
/// included. The content therefore stays the same until a user changes what would be done. An
/// interrupted send is included only if the list of its campaign was edited, because it then
/// addresses other registrations than the files name.
package struct ReviewedPlan: Hashable, Sendable {
    /// JSON, with the members of every object sorted by the bytes of their keys.
    package let content: JSONValue
    /// The first 40 hexadecimal digits of the SHA-256 of the content in compact JSON.
    package let hash: String
    package let head: Head
    /// By the campaign's name.
    package let campaigns: [CampaignID: JSONValue]
    package let memberships: [MembershipScope: JSONValue]
    package let guards: [JSONValue]
    /// The approvals that later plans need; nil if the plan does not change them.
    package let approvals: JSONValue?

    /// The target of the plan; a plan for another target is never applied here.
    package struct Head: Hashable, Sendable {
        package let project: String
        package let environment: String
        package let lineage: String
        /// The Firebase project ID, or `emulator`.
        package let projectID: String
    }

    /// The format version of the content; another version has other members.
    package static let format: Int64 = 1

    init(
        head: Head,
        campaigns: [ReviewedCampaign] = [],
        memberships: [MembershipScope: JSONValue] = [:],
        guards: [JSONValue] = [],
        approvals: JSONValue? = nil
    ) {
        let named = campaigns.map { ($0.campaign, $0.content) }
        self.init(
            head: head,
            campaigns: Dictionary(named, uniquingKeysWith: { first, _ in first }),
            memberships: memberships,
            guards: guards,
            approvals: approvals
        )
    }

    init(
        head: Head,
        campaigns: [CampaignID: JSONValue],
        memberships: [MembershipScope: JSONValue],
        guards: [JSONValue],
        approvals: JSONValue?
    ) {
        self.head = head
        self.campaigns = campaigns
        self.memberships = memberships
        self.guards = guards
        self.approvals = approvals
        content = Self.content(
            Parts(
                head: head,
                campaigns: campaigns.sorted { $0.key < $1.key }.map(\.value),
                memberships: memberships.sorted { $0.key < $1.key }.map(\.value),
                guards: guards,
                approvals: approvals
            )
        )
        hash = Self.hash(of: content)
    }

    /// Returns the hash of content in any format.
    package static func hash(of content: JSONValue) -> String {
        String(ContentHash.of(content).prefix(PlanDigest.length))
    }

    /// Returns the checksum of a whole JSON plan without its `checksum` member.
    ///
    /// It detects edits to the parts that people read but that are not compared.
    package static func checksum(of plan: JSONObject) -> String {
        var plan = plan
        plan["checksum"] = nil
        return ContentHash.of(JSONValue.object(plan).sortedByKey)
    }

    private static func content(_ parts: Parts) -> JSONValue {
        JSONValue.object(shape.json(of: parts)).sortedByKey
    }

    /// Whether applying the plan changes no definition, no membership and no rule of approvals.
    package var isEmpty: Bool {
        approvals == nil && memberships.values.allSatisfy(\.changesNoMember)
            && campaigns.values.allSatisfy(\.isOnlyResumed)
    }
}

// MARK: - JSON

extension ReviewedPlan {
    /// The parts of the content.
    package struct Parts {
        let head: Head
        let campaigns: [JSONValue]
        let memberships: [JSONValue]
        let guards: [JSONValue]
        let approvals: JSONValue?
    }

    package static let shape = JSONShape<Parts>(
        "The input of the digest: SHA-256 of this object as compact JSON with sorted keys.",
        [
            .required("format", .integer, about: "Version of this object.") { _ in format },
            .required("project", .text, about: "Name of the project.") { $0.head.project },
            .required("environment", .text, about: "Name of the environment.") {
                $0.head.environment
            },
            .required("lineage", .text, about: "Identifies the state.") { $0.head.lineage },
            .required("project_id", .text, about: "Firebase project ID, or `emulator`.") {
                $0.head.projectID
            },
            .required(
                "campaigns",
                .list(of: .written(by: ReviewedCampaign.shape)),
                about: "Campaigns to record, and interrupted sends whose list was edited."
            ) { $0.campaigns },
            .required(
                "memberships",
                .list(of: .written(by: ReviewedMembership.shape)),
                about: "Memberships that change, and all whose list is the output of a source."
            ) { $0.memberships },
            .required(
                "guards",
                .list(of: .written(by: GuardOutcome.reviewedShape)),
                about: "Outcomes of guards."
            ) { $0.guards },
            .optional("approvals", .written(by: ReviewedApprovals.shape)) { $0.approvals },
        ]
    )
}

// MARK: - Reading stored plans

extension ReviewedPlan {
    /// Nil if this is not the content of a reviewed plan in this format.
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
        approvals = content["approvals"]
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
