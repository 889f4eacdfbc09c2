import CampaignLoading
import CampaignMessages
import CampaignModel
import Diagnostics
import JSON
import Time

/// A campaign as a rule checks it.
struct CampaignSubject: Sendable {
    /// With one of its content versions.
    let campaign: Campaign
    /// With all content versions.
    let whole: Campaign
    let key: TextKey
    let message: MessageDeclaration?
    private let document: CampaignDocument?
    let context: RuleContext
    let survey: ContentSurvey
    let seenTexts: [SeenText]
    private let kinds: MessageKinds

    init(_ version: ContentVersion, document: CampaignDocument?, in context: RuleContext) {
        campaign = version.campaign
        whole = version.whole
        key = version.key
        message = version.message
        self.document = document
        self.context = context
        survey = ContentSurvey(campaign.content)
        seenTexts = campaign.content.seenTexts
        kinds = MessageKinds(campaign.content)
    }

    var now: Instant { context.now }
    var content: MessageContent { campaign.content }
    var declaration: CampaignDeclaration? { document?.value }

    /// Every text and integer of the message, in the author's order.
    var texts: [ContentText] { content.texts }

    func kind(on platform: Platform) -> MessageKind { kinds[platform] }

    var momentOfSending: Instant { campaign.momentOfSending(at: now) }

    /// Returns the span of the value at a path of the message, or of the nearest enclosing value.
    func span(at path: [String]) -> SourceSpan? {
        message?.span(at: path)
    }

    func keySpan(at path: [String]) -> SourceSpan? {
        message?.keySpan(at: path)
    }

    /// Returns the key of the block from which the campaign inherits a value; nil if the campaign
    /// contains it.
    func inheritedKey(of span: SourceSpan) -> String? {
        if span.source == context.projectFile { return "defaults" }
        guard context.isInSharedMessage(span) else { return nil }
        return declaration?.extends.map { "messages.\($0.value)" }
    }

    func text(at path: [String]) -> String? { content.value(at: path)?.stringValue }

    func platforms(where isMeant: (MessageKind) -> Bool) -> [Platform] {
        Platform.allCases.filter { isMeant(kind(on: $0)) }
    }
}

extension Platform {
    /// The name within a sentence.
    var properName: String {
        switch self {
        case .android: "Android"
        case .apple: "Apple platforms"
        case .web: "the web"
        }
    }
}

extension [Platform] {
    /// For example "Android and the web".
    var names: String { map(\.properName).joined(separator: " and ") }
}
