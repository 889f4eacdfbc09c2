package import FCMWire

/// A message, whom it goes to, how and when.
package struct Campaign: Hashable, Sendable {
    package let id: CampaignID
    package let about: String?
    package let owner: String?
    package let target: AudienceTarget
    /// The `audience:` document that the campaign names, where it names one.
    package let audience: AudienceID?
    package let content: MessageContent
    package let delivery: Delivery
    package let schedule: Schedule

    package init(
        id: CampaignID,
        about: String?,
        owner: String?,
        target: AudienceTarget,
        audience: AudienceID?,
        content: MessageContent,
        delivery: Delivery,
        schedule: Schedule
    ) {
        self.id = id
        self.about = about
        self.owner = owner
        self.target = target
        self.audience = audience
        self.content = content
        self.delivery = delivery
        self.schedule = schedule
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
