package import CampaignLoading
import CampaignMessages
package import CampaignModel
import Diagnostics
import Planning

/// The environment of a preview, and the origins of a campaign's values in it.
package struct PreviewEnvironment: Sendable {
    /// The project's ID in requests.
    package let projectID: String
    private let declaration: CampaignDeclaration?
    private let defaults: DefaultsPlaces
    private let sharedMessages: SpanIndex

    package init(
        _ environment: CampaignModel.Environment,
        of project: Project,
        declarations: Declarations,
        campaign: CampaignID
    ) {
        projectID = environment.projectID(of: project) ?? project.id.rawValue
        declaration =
            declarations.campaigns.first { $0.value.campaign?.value == campaign }?.value
        defaults = DefaultsPlaces(declarations)
        sharedMessages = SpanIndex(declarations.messages.map(\.span))
    }

    /// Returns the place that set a field: a path of the campaign, a key of `herald.yaml` if the
    /// value is from its defaults, or a key of the message that the campaign extends.
    func wording(_ origin: FieldOrigin) -> String {
        guard let span = declaration?.span(of: origin) else { return origin.description }
        if let extended = declaration?.extends?.value, sharedMessages.holds(span) {
            return "messages.\(extended).\(origin)"
        }
        guard let key = defaults.key(of: span) else { return origin.description }
        return origin.wording(under: key)
    }
}
