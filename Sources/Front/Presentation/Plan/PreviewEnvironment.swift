package import CampaignLoading
import CampaignMessages
package import CampaignModel
import Diagnostics
import Planning

/// The locale of a preview.
package struct PreviewLocale: Sendable {
    package let requested: Locale
    /// The key of `locales` that covers it; nil for the campaign's own text.
    package let key: Locale?

    package init(requested: Locale, key: Locale?) {
        self.requested = requested
        self.key = key
    }
}

/// The environment of a preview, and the origins of a campaign's values in it.
package struct PreviewEnvironment: Sendable {
    /// The project's ID in requests.
    package let projectID: String
    /// Nil if none is requested.
    let locale: PreviewLocale?
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
        locale = nil
        declaration =
            declarations.campaigns.first { $0.value.campaign?.value == campaign }?.value
        defaults = DefaultsPlaces(declarations)
        sharedMessages = SpanIndex(declarations.messages.map(\.span))
    }

    private init(_ environment: PreviewEnvironment, locale: PreviewLocale?) {
        projectID = environment.projectID
        self.locale = locale
        declaration = environment.declaration
        defaults = environment.defaults
        sharedMessages = environment.sharedMessages
    }

    /// Returns the environment for a text of `locales`.
    package func showing(_ locale: PreviewLocale?) -> PreviewEnvironment {
        PreviewEnvironment(self, locale: locale)
    }

    /// The text of the locale as written, merged over the campaign's own.
    private var localized: MessageDeclaration? {
        guard let key = locale?.key else { return nil }
        return declaration?.locales?.value.first { $0.name.value == .locale(key) }?.content
    }

    /// Returns the place that set a field: a path of the campaign, with the key of `locales` if its
    /// entry contains the value, a key of `herald.yaml` if the value is from its defaults, or a key
    /// of the message that the campaign extends.
    func wording(_ origin: FieldOrigin) -> String {
        guard let span = span(of: origin) else { return origin.description }
        if let key = locale?.key, let whole = localized?.span(at: []), whole.holds(span) {
            return "locales.\(key).\(origin)"
        }
        if let extended = declaration?.extends?.value, sharedMessages.holds(span) {
            return "messages.\(extended).\(origin)"
        }
        guard let key = defaults.key(of: span) else { return origin.description }
        return origin.wording(under: key)
    }

    private func span(of origin: FieldOrigin) -> SourceSpan? {
        if case .message(let path) = origin, let localized { return localized.span(at: path) }
        return declaration?.span(of: origin)
    }
}

extension SourceSpan {
    fileprivate func holds(_ other: SourceSpan) -> Bool {
        source == other.source && start <= other.start && other.end <= end
    }
}
