/// What Herald does with certain messages of devices, from an `upstream:` document.
package struct UpstreamRule: Hashable, Sendable {
    package let id: UpstreamRuleID
    package let about: String?
    package let match: UpstreamMatch
    package let actions: UpstreamActions

    package init(
        id: UpstreamRuleID,
        about: String?,
        match: UpstreamMatch,
        actions: UpstreamActions
    ) {
        self.id = id
        self.about = about
        self.match = match
        self.actions = actions
    }

    /// The audience of the registrations that the rule subscribes; no other audience has its name.
    package var audience: AudienceID? { AudienceID(id.rawValue) }

    /// The name under which replies are recorded; no campaign has it.
    package var replies: CampaignID? { CampaignID(id.rawValue) }
}

package typealias UpstreamRuleID = Identifier<UpstreamRule>

/// The messages that a rule applies to: all given conditions have to hold.
package struct UpstreamMatch: Hashable, Sendable {
    /// Nil for any app.
    package let category: String?
    /// Pairs that the message has, perhaps among others.
    package let data: [String: String]

    package init(category: String?, data: [String: String]) {
        self.category = category
        self.data = data
    }

    package func applies(toCategory category: String, data: [String: String]) -> Bool {
        if let wanted = self.category, wanted != category { return false }
        return self.data.allSatisfy { data[$0.key] == $0.value }
    }
}

/// What a rule does; at least one of these.
package struct UpstreamActions: Hashable, Sendable {
    package let subscribe: [Topic]
    package let unsubscribe: [Topic]
    /// Whether nothing is sent to the registration any more.
    package let optsOut: Bool
    package let event: UpstreamEvent?
    package let append: UpstreamFile?
    /// The message that the registration gets; the same for all registrations.
    package let reply: MessageContent?

    package init(
        subscribe: [Topic] = [],
        unsubscribe: [Topic] = [],
        optsOut: Bool = false,
        event: UpstreamEvent? = nil,
        append: UpstreamFile? = nil,
        reply: MessageContent? = nil
    ) {
        self.subscribe = subscribe
        self.unsubscribe = unsubscribe
        self.optsOut = optsOut
        self.event = event
        self.append = append
        self.reply = reply
    }
}

/// An answer to a campaign, which `herald results` and `herald history` count.
package struct UpstreamEvent: Hashable, Sendable {
    package let name: String
    package let campaign: CampaignID

    package init(name: String, campaign: CampaignID) {
        self.name = name
        self.campaign = campaign
    }
}

/// A file to which messages are appended, in the folder of `--out`.
package struct UpstreamFile: Hashable, Sendable {
    package enum Format: String, Hashable, Sendable, CaseIterable {
        case csv
        case ndjson
    }

    package let name: String
    package let format: Format

    /// - Parameter name: A file name that ends in `.csv` or `.ndjson`: ASCII letters, digits, `-`, `_` and
    ///   `.`, of which the first is a letter or digit.
    package init?(_ name: String) {
        guard Identifier<UpstreamFile>(name) != nil,
            let end = name.split(separator: ".", omittingEmptySubsequences: false).last,
            end.count < name.count - 1, let format = Format(rawValue: String(end))
        else { return nil }
        self.name = name
        self.format = format
    }
}

/// The app server that receives the messages of devices.
package struct UpstreamAccount: Hashable, Sendable {
    package let sender: SenderID
    /// The variable that contains the server key, the password of XMPP connections; nil without one.
    package let serverKey: VariableReference?

    package init(sender: SenderID, serverKey: VariableReference?) {
        self.sender = sender
        self.serverKey = serverKey
    }
}
