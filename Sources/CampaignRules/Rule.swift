package import CampaignLoading
package import CampaignModel
package import Diagnostics
package import Registrations
package import Scheduling

/// A check that needs two fields, two files or a list.
package struct Rule: Sendable {
    typealias ProjectCheck = @Sendable (RuleContext, inout DiagnosticLog) -> Void
    typealias CampaignCheck = @Sendable (CampaignSubject, inout DiagnosticLog) -> Void

    enum Check: Sendable {
        /// Once, for all files.
        case project(ProjectCheck)
        /// Each campaign by itself, in each of its wordings.
        case campaign(CampaignCheck)
        /// Each condition that a campaign goes to.
        case condition(@Sendable (ConditionDeclaration) -> [Diagnostic])
        /// Each campaign that was understood as a whole: for rules that find something missing.
        case wholeCampaign(CampaignCheck)
    }

    package let page: RulePage
    let check: Check

    init(_ page: RulePage, _ check: Check) {
        self.page = page
        self.check = check
    }

    init(_ page: RulePage, check: @escaping ProjectCheck) {
        self.init(page, .project(check))
    }

    static func ofCampaigns(_ page: RulePage, check: @escaping CampaignCheck) -> Rule {
        Rule(page, .campaign(check))
    }

    static func ofWholeCampaigns(_ page: RulePage, check: @escaping CampaignCheck) -> Rule {
        Rule(page, .wholeCampaign(check))
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
    }

    /// A campaign as written, to point into its file.
    func declaration(of campaign: Campaign) -> CampaignDeclaration? {
        document(of: campaign)?.value
    }

    func document(of campaign: Campaign) -> CampaignDocument? {
        places[campaign.id].map { declarations.campaigns[$0] }
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
        .missingColumn,
        .tooManyTopics,
        .topicCase,
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
        .emptyTitle,
        .testWording,
        .unrenderedPlaceholder,
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
        let checks = CampaignChecks(self)
        let found =
            mapInParallel(context.project.campaigns) { [context] campaign in
                checks.findings(of: campaign, context)
            }
            + mapInParallel(checks.ofProject, grain: 1) { [context] check in
                var log = DiagnosticLog()
                check(context, &log)
                return log.diagnostics
            }
        for diagnostic in found.joined() { log.report(diagnostic) }
    }
}

/// What the rules look for in single campaigns.
private struct CampaignChecks: Sendable {
    private(set) var ofProject: [Rule.ProjectCheck] = []
    private var ofAll: [Rule.CampaignCheck] = []
    private var ofConditions: [@Sendable (ConditionDeclaration) -> [Diagnostic]] = []
    private var ofWhole: [Rule.CampaignCheck] = []

    init(_ rules: [Rule]) {
        for rule in rules {
            switch rule.check {
            case .project(let check): ofProject.append(check)
            case .campaign(let check): ofAll.append(check)
            case .condition(let findings): ofConditions.append(findings)
            case .wholeCampaign(let check): ofWhole.append(check)
            }
        }
    }

    func findings(of campaign: Campaign, _ context: RuleContext) -> [Diagnostic] {
        var log = DiagnosticLog()
        let document = context.document(of: campaign)
        let isWhole = context.isWhole(campaign)
        if case .condition(let condition)? = document?.value.audience?.value {
            for findings in ofConditions {
                for finding in findings(condition.value) { log.report(finding) }
            }
        }
        campaign.forEachWording(as: document) { wording in
            let subject = CampaignSubject(wording, document, at: context.now)
            for check in ofAll { check(subject, &log) }
            guard isWhole else { return }
            for check in ofWhole { check(subject, &log) }
        }
        return log.diagnostics
    }
}
