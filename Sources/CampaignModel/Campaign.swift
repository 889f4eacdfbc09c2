package import FCMWire

/// A message, whom it goes to, how and when.
package struct Campaign: Hashable, Sendable {
    package let id: CampaignID
    package let about: String?
    package let owner: String?
    package let target: AudienceTarget
    /// The `audience:` document that the campaign names, where it names one.
    package let audience: AudienceID?
    package private(set) var content: MessageContent
    package let delivery: Delivery
    package let schedule: Schedule
    package let timeliness: Timeliness
    /// Raised to send again on purpose; the first is 1.
    package let revision: Int
    /// The name that the campaign had when it was sent.
    package let formerID: CampaignID?
    package let labels: [String: String]
    /// None, or at least two.
    package let variants: [Variant]
    package let localizations: [Localization]
    package let policy: SendingPolicy

    package init(
        id: CampaignID,
        about: String?,
        owner: String?,
        target: AudienceTarget,
        audience: AudienceID?,
        content: MessageContent,
        delivery: Delivery,
        schedule: Schedule,
        timeliness: Timeliness = .standard,
        revision: Int = 1,
        formerID: CampaignID? = nil,
        labels: [String: String] = [:],
        variants: [Variant] = [],
        localizations: [Localization] = [],
        policy: SendingPolicy = .unspecified
    ) {
        self.id = id
        self.about = about
        self.owner = owner
        self.target = target
        self.audience = audience
        self.content = content
        self.delivery = delivery
        self.schedule = schedule
        self.timeliness = timeliness
        self.revision = revision
        self.formerID = formerID
        self.labels = labels
        self.variants = variants
        self.localizations = localizations
        self.policy = policy
    }

    /// The same campaign with another message.
    package func saying(_ content: MessageContent) -> Campaign {
        var copy = self
        copy.content = content
        return copy
    }
}

/// What the author wrote under `message:`, in the field names of FCM's v1 API and in the author's
/// order.
///
/// `CampaignMessages` makes the platforms' messages of it.
package struct MessageContent: Hashable, Sendable {
    package let fields: JSONObject

    package init(fields: JSONObject) {
        self.fields = fields
    }

    /// A value by its path, such as `["android", "notification", "tag"]`.
    package func value(at path: [String]) -> JSONValue? {
        var value = JSONValue.object(fields)
        for key in path {
            guard let next = value[key] else { return nil }
            value = next
        }
        return value
    }
}
