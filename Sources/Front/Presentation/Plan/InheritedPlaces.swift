package import CampaignLoading
import CampaignMessages
import CampaignModel
package import Diagnostics

/// The places of the defaults in the files, for campaigns that inherit them.
package struct InheritedPlaces: Sendable {
    /// A value in the defaults.
    struct Place: Hashable {
        /// For example, `defaults.delivery.ttl`.
        let key: String
        /// The file and the line, such as `herald.yaml:12`.
        let line: String
    }

    private let campaigns: [CampaignID: CampaignDocument]
    private let defaults: DefaultsPlaces
    private let sharedMessages: SpanIndex
    private let catalog: SourceCatalog

    package init(_ declarations: Declarations, catalog: SourceCatalog) {
        var campaigns: [CampaignID: CampaignDocument] = [:]
        for document in declarations.campaigns {
            if let id = document.value.campaign?.value { campaigns[id] = document }
        }
        self.campaigns = campaigns
        defaults = DefaultsPlaces(declarations)
        sharedMessages = SpanIndex(declarations.messages.map(\.span))
        self.catalog = catalog
    }

    /// Returns nil if the campaign does not inherit the value from the defaults.
    func place(of origin: FieldOrigin, in campaign: CampaignID) -> Place? {
        guard let span = campaigns[campaign]?.value.span(of: origin), !sharedMessages.holds(span),
            let key = defaults.key(of: span)
        else { return nil }
        let file = catalog[span.source]
        return Place(
            key: origin.wording(under: key),
            line: "\(file.path):\(file.position(at: span.start).line)"
        )
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
