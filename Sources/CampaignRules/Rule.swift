package import CampaignLoading
import CampaignMessages
package import CampaignModel
package import Diagnostics
package import Registrations
package import Scheduling

/// A check that needs two fields, two files or a list.
package struct Rule: Sendable {
    package let page: RulePage
    package let check: @Sendable (RuleContext, inout DiagnosticLog) -> Void

    init(
        _ page: RulePage,
        check: @escaping @Sendable (RuleContext, inout DiagnosticLog) -> Void
    ) {
        self.page = page
        self.check = check
    }
}

/// What rules look at.
package struct RuleContext: Sendable {
    package let project: Project
    package let declarations: Declarations
    package let surveys: ListSurveys
    package let now: Instant
    let zones: TimeZoneDatabase
    /// What the campaigns do together; it is there when rules are checked.
    fileprivate(set) var together = Together()
    private let places: [CampaignID: Int]
    /// Campaigns whose documents, or the project's, have errors: what seems to be missing there
    /// may only be misspelt.
    private var flawed: Set<CampaignID> = []
    /// What each wording weighs on the platform where it weighs most: three rules look at them.
    private(set) var payloads: [(wording: Wording, size: PayloadSize)] = []

    package init(
        project: Project,
        declarations: Declarations,
        surveys: ListSurveys,
        zones: TimeZoneDatabase,
        now: Instant
    ) {
        self.project = project
        self.declarations = declarations
        self.surveys = surveys
        self.zones = zones
        self.now = now
        places = Dictionary(
            declarations.campaigns.enumerated().compactMap { place, declared in
                declared.value.campaign.map { ($0.value, place) }
            },
            uniquingKeysWith: { first, _ in first }
        )
        payloads = project.campaigns.flatMap(wordings).compactMap { wording in
            PayloadSize(heaviestOf: wording.campaign).map { (wording, $0) }
        }
    }

    /// A campaign as written, to point into its file.
    func declaration(of campaign: Campaign) -> CampaignDeclaration? {
        places[campaign.id].map { declarations.campaigns[$0].value }
    }

    /// Whether all that the author wrote of a campaign was understood.
    func isWhole(_ campaign: Campaign) -> Bool { !flawed.contains(campaign.id) }

    /// Takes note of what reading the files has found.
    fileprivate func afterReading(_ log: DiagnosticLog) -> RuleContext {
        guard log.hasErrors else { return self }
        var places: [SourceID: [Int]] = [:]
        for diagnostic in log.diagnostics where diagnostic.severity == .error {
            guard let span = diagnostic.span else { continue }
            places[span.source, default: []].append(span.start)
        }
        places = places.mapValues { $0.sorted() }
        let projectFile = declarations.project?.project?.span.source
        let isProjectFlawed = projectFile.map { places[$0] != nil } ?? true
        var context = self
        for declared in declarations.campaigns {
            let span = declared.span
            let offsets = places[span.source] ?? []
            let first = offsets.partitionIndex { $0 >= span.start }
            let isFlawed = first < offsets.count && offsets[first] <= span.end
            guard let id = declared.value.campaign?.value, isProjectFlawed || isFlawed
            else { continue }
            context.flawed.insert(id)
        }
        return context
    }
}

/// Every rule, in the order in which they run.
package let allRules: [Rule] =
    [
        .payloadTooLarge,
        .payloadOver4000,
        .payloadOver2048,
        .usableLists,
        .tooManyTopics,
        .topicCase,
        .credentialInFile,
        .privateContentToTopic,
        .urgentSendToTopic,
        .platformLeftOut,
        .highPriorityShowsNothing,
        .apnsPriorityBackground,
        .apnsExpirationInPast,
        .expiresInPast,
        .expiresBeyondLife,
        .lifetimesDisagree,
        .tapTargetOneSided,
        .datedContentWithoutTTL,
        .reservedDataKeyLegacy,
        .collapseKeyOnNotification,
        .repeatedDataWithoutCollapse,
        .tooManyCollapseKeys,
        .notificationReplaced,
        .collapsibleBurst,
        .deviceRate,
        .tooManyStored,
        .fanOutsOverlap,
        .quarterHour,
        .tooManyLabels,
        .reachedTwiceAtOnce,
        .topicBetterAsList,
    ] + conditionRules.map(Rule.init)

extension [Rule] {
    package func check(_ context: RuleContext, _ log: inout DiagnosticLog) {
        var context = context.afterReading(log)
        context.together = Together(context)
        for rule in self { rule.check(context, &log) }
    }
}
