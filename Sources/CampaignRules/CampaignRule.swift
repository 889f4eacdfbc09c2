import CampaignLoading
import CampaignMessages
import CampaignModel
import Diagnostics
import FCMWire
import Scheduling

/// One campaign as a rule looks at it.
struct CampaignSubject: Sendable {
    /// In one of its wordings.
    let campaign: Campaign
    let message: MessageDeclaration?
    let declaration: CampaignDeclaration?
    let now: Instant

    var content: MessageContent { campaign.content }

    /// When it is sent, as far as the files say: at its moment, also where that has passed, else
    /// at once.
    var momentOfSending: Instant {
        switch campaign.schedule {
        case .immediate, .repeating: now
        case .at(let moment): moment.instant
        }
    }

    /// Where the value at a path of the message was written, or the nearest thing around it.
    func span(at path: [String]) -> SourceSpan? {
        message?.span(at: path)
    }

    func keySpan(at path: [String]) -> SourceSpan? {
        message?.keySpan(at: path)
    }

    func text(at path: [String]) -> String? { content.value(at: path)?.stringValue }

    func platforms(where isMeant: (MessageKind) -> Bool) -> [Platform] {
        Platform.allCases.filter { isMeant(content.kind(on: $0)) }
    }
}

extension Rule {
    typealias CampaignCheck = @Sendable (CampaignSubject, inout DiagnosticLog) -> Void

    /// Checks each campaign by itself.
    static func ofCampaigns(_ page: RulePage, check: @escaping CampaignCheck) -> Rule {
        of(page, where: { _, _ in true }, check)
    }

    /// Checks each campaign that was understood as a whole: for rules that find something missing.
    static func ofWholeCampaigns(_ page: RulePage, check: @escaping CampaignCheck) -> Rule {
        of(page, where: { $0.isWhole($1) }, check)
    }

    private static func of(
        _ page: RulePage,
        where isMeant: @escaping @Sendable (RuleContext, Campaign) -> Bool,
        _ check: @escaping CampaignCheck
    ) -> Rule {
        Rule(page) { context, log in
            for campaign in context.project.campaigns where isMeant(context, campaign) {
                for wording in context.wordings(of: campaign) {
                    let subject = CampaignSubject(
                        campaign: wording.campaign,
                        message: wording.message,
                        declaration: context.declaration(of: campaign),
                        now: context.now
                    )
                    check(subject, &log)
                }
            }
        }
    }
}

extension Platform {
    /// As the name stands in a sentence.
    var properName: String {
        switch self {
        case .android: "Android"
        case .apple: "Apple platforms"
        case .web: "the web"
        }
    }
}

extension [Platform] {
    /// As in "Android and the web".
    var names: String { map(\.properName).joined(separator: " and ") }
}
