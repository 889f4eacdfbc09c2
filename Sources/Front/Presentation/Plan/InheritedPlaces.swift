package import CampaignLoading
import CampaignMessages
import CampaignModel
package import Diagnostics

/// A line of a file.
package struct SourcePlace: Hashable, Sendable {
    /// Relative to the project's folder.
    package let path: String
    /// From 1.
    package let line: Int

    /// For example, `campaigns/tides.yaml:12`.
    var text: String { "\(path):\(line)" }
}

/// The places of declarations and of the defaults in the files.
package struct InheritedPlaces: Sendable {
    /// A value in the defaults.
    struct Place: Hashable {
        /// For example, `defaults.delivery.ttl`.
        let key: String
        /// The file and the line, such as `herald.yaml:12`.
        let line: String
    }

    private let campaigns: [CampaignID: CampaignDocument]
    private let audiences: [AudienceID: SourceSpan]
    private let defaults: DefaultsPlaces
    private let sharedMessages: SpanIndex
    private let catalog: SourceCatalog

    package init(_ declarations: Declarations, catalog: SourceCatalog) {
        var campaigns: [CampaignID: CampaignDocument] = [:]
        for document in declarations.campaigns {
            if let id = document.value.campaign?.value { campaigns[id] = document }
        }
        self.campaigns = campaigns
        audiences = Dictionary(
            declarations.audiences.compactMap { document in
                document.value.audience.map { ($0.value, $0.span) }
            }
        ) { first, _ in first }
        defaults = DefaultsPlaces(declarations)
        sharedMessages = SpanIndex(declarations.messages.map(\.span))
        self.catalog = catalog
    }

    /// The declarations of all campaigns, by name.
    package var all: [String: SourcePlace] {
        var places: [String: SourcePlace] = [:]
        for id in campaigns.keys { places[id.rawValue] = place(of: id) }
        return places
    }

    /// The declaration of a campaign.
    func place(of campaign: CampaignID) -> SourcePlace? {
        campaigns[campaign]?.value.campaign.map { place(of: $0.span) }
    }

    /// The declaration of an audience.
    func place(of audience: AudienceID) -> SourcePlace? { audiences[audience].map(place) }

    private func place(of span: SourceSpan) -> SourcePlace {
        SourcePlace(path: catalog.path(of: span.source), line: catalog.line(of: span))
    }

    /// Returns nil if the campaign does not inherit the value from the defaults.
    func place(of origin: FieldOrigin, in campaign: CampaignID) -> Place? {
        guard let span = campaigns[campaign]?.value.span(of: origin), !sharedMessages.holds(span),
            let key = defaults.key(of: span)
        else { return nil }
        return Place(key: origin.wording(under: key), line: place(of: span).text)
    }
}

extension FieldOrigin {
    /// For example, `defaults.message.android.ttl`.
    func wording(under key: String) -> String {
        switch self {
        case .message(let path): "\(key).message.\(path.joined(separator: "."))"
        case .delivery, .occurrence: "\(key).\(self)"
        }
    }
}

extension CampaignDeclaration {
    /// Returns the place that set a field; nil if Herald set it.
    func span(of origin: FieldOrigin) -> SourceSpan? {
        switch origin {
        case .message(let path): message?.value.span(at: path)
        case .delivery(let intent): delivery?.value.span(of: intent)
        case .occurrence: nil
        }
    }
}

extension DeliveryDeclaration {
    fileprivate func span(of intent: DeliveryLowering.Intent) -> SourceSpan? {
        switch intent {
        case .timeToLive: timeToLive?.span
        case .expires: expires?.span
        case .priority: priority?.span
        case .collapse: collapse?.span
        }
    }
}
