package import CampaignMessages
package import CampaignModel
import FCMWire
package import JSON
package import Planning
package import RegistrationLists
package import Time

/// A campaign's request and its effective message on each platform.
package struct CampaignPreview: Sendable {
    package let campaign: CampaignID
    package let audience: PlannedAudience
    /// The audiences whose lists are left out.
    package let excluded: [AudienceID]
    package let path: String
    /// The body of a request.
    ///
    /// A list's requests contain `registrationMark` in place of the registration.
    package let body: JSONValue
    /// The content that is encrypted, without values of a row; nil if the message is sent in the clear.
    package let encrypted: JSONObject?
    /// In the order of `Platform`.
    package let messages: [EffectiveMessage]
    /// The maximum message size for a platform, in bytes.
    package let limit: Int
    /// The number of the row whose message is shown, from 1; nil for the message as written.
    package let row: Int?
    /// The keys of `locales`, if the preview shows the campaign's own text without a locale.
    let otherLocales: [Locale]
    let arms: PreviewArms
    /// The recipients, in place of the audience; nil for a campaign.
    let recipients: String?
    /// The campaign that a correction corrects, whose message has the fields that the correction keeps.
    private let corrected: CampaignID?
    private let environment: PreviewEnvironment?

    package static let registrationMark = "<registration>"

    /// Previews the message as written, or the message of one row of the list.
    ///
    /// `environment`: without one, origins name only the campaign's own keys.
    package init(
        of campaign: Campaign,
        in project: Project,
        surveys: ListSurveys,
        environment: PreviewEnvironment? = nil,
        row: ListRowSearch.Found? = nil,
        arms: PreviewArms = .none
    ) {
        self.row = row?.number
        self.arms = arms
        encrypted = DeliveryLowering(campaign).template.sealed?.clear
        let campaign = row.map { campaign.filled(with: $0.values) } ?? campaign
        let lowering = DeliveryLowering(shownOf: campaign)
        self.campaign = campaign.id
        audience = PlannedAudience(of: campaign, in: project, surveys: surveys)
        excluded = campaign.excluded
        self.environment = environment
        path = SendRequest.path(project: environment?.projectID ?? project.id.rawValue)
        body = lowering.template.preview.body(to: campaign.target.shown)
        messages = Platform.allCases.map { EffectiveMessage(lowering, on: $0) }
        limit = PayloadSize.limit(to: campaign.target)
        otherLocales = campaign.localizations.map(\.locale)
        recipients = nil
        corrected = nil
    }

    /// Nil if none is requested.
    var locale: PreviewLocale? { environment?.locale }

    /// Returns the place in the files that set a field.
    func origin(of field: EffectiveMessage.Field) -> String {
        if let corrected, !["title", "body"].contains(field.path.last) {
            return corrected.rawValue
        }
        return environment?.wording(field.origin) ?? field.origin.description
    }
}

// MARK: - Corrections and replies

extension CampaignPreview {
    /// Previews what a correction sends for the message that its campaign has in the files.
    ///
    /// `now`: when that message is due, because the correction expires with it.
    ///
    /// - Returns: Nil if the message shows no notification that another one replaces.
    package init?(
        of correction: Correction,
        correcting campaign: Campaign,
        in project: Project,
        surveys: ListSurveys,
        environment: PreviewEnvironment,
        at now: Instant
    ) {
        let occurrence: OccurrenceID? =
            switch correction.corrected {
            case .occurrence(let id): id
            case .last: campaign.onlyOccurrence
            }
        let key = occurrence.map(DeduplicationKey.init(of:)) ?? .unknown
        let template = MessageTemplate(of: campaign).keyed(key)
        guard RecallEffect(of: template).canReplace else { return nil }
        let message = template.recalled(by: correction.message, due: now).preview
        self.campaign = correction.id
        audience = PlannedAudience(of: campaign, in: project, surveys: surveys)
        excluded = []
        path = SendRequest.path(project: environment.projectID)
        body = message.body(to: campaign.target.shown)
        encrypted = nil
        messages = Platform.allCases.map { EffectiveMessage(of: message.message, on: $0) }
        limit = PayloadSize.limit(to: campaign.target)
        row = nil
        otherLocales = []
        arms = .none
        recipients = "the recipients of \(correction.corrected)"
        corrected = campaign.id
        self.environment = environment
    }

    /// Previews the reply of an upstream rule; nil if it has none.
    package init?(
        of rule: UpstreamRule,
        in project: Project,
        surveys: ListSurveys,
        environment: PreviewEnvironment
    ) {
        guard let campaign = rule.replyCampaign else { return nil }
        let lowering = DeliveryLowering(campaign).keyed(.unknown)
        self.campaign = campaign.id
        audience = PlannedAudience(of: campaign, in: project, surveys: surveys)
        excluded = []
        path = SendRequest.path(project: environment.projectID)
        body = lowering.template.preview.body(to: campaign.target.shown)
        encrypted = nil
        messages = Platform.allCases.map { EffectiveMessage(lowering, on: $0) }
        limit = PayloadSize.limit(to: campaign.target)
        row = nil
        otherLocales = []
        arms = .none
        recipients = "each registration that sends a message which the rule matches"
        corrected = nil
        self.environment = environment
    }
}

extension DeliveryLowering {
    /// Includes the occurrence's deduplication key if the campaign has only one occurrence.
    fileprivate init(shownOf campaign: Campaign) {
        let lowering = DeliveryLowering(campaign)
        self =
            campaign.onlyOccurrence.map { lowering.keyed(DeduplicationKey(of: $0)) } ?? lowering
    }
}

extension AudienceTarget {
    fileprivate var shown: SendTarget {
        switch self {
        case .topic(let topic): .topic(topic.name)
        case .condition(let condition): .condition(condition.onWire)
        case .registrations(let list):
            list.kind == .fid
                ? .fid(CampaignPreview.registrationMark) : .token(CampaignPreview.registrationMark)
        // A group's key takes the place of the registration (Firebase documentation, Device group
        // messaging).
        case .group: .token(CampaignPreview.registrationMark)
        }
    }
}
