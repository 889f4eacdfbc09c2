package import CampaignLoading
package import CampaignModel
package import Diagnostics
package import RegistrationLists
import Scheduling
package import Time

/// A check that needs two fields, two files or a list.
package struct Rule: Sendable {
    typealias ProjectCheck = @Sendable (RuleContext, inout DiagnosticLog) -> Void
    typealias CampaignCheck = @Sendable (CampaignSubject, inout DiagnosticLog) -> Void
    typealias ConditionCheck = @Sendable (ConditionDeclaration) -> [Diagnostic]

    enum Check: Sendable {
        /// Once, for all files.
        case project(ProjectCheck)
        /// Each campaign by itself, in each of its wordings.
        case campaign(CampaignCheck)
        /// Each condition that a campaign goes to.
        case condition(ConditionCheck)
        /// Each campaign that was understood as a whole: for rules that find something missing.
        case wholeCampaign(CampaignCheck)
    }

    package let id: RuleID
    let check: Check

    private init(_ id: RuleID, _ check: Check) {
        self.id = id
        self.check = check
    }

    init(_ id: RuleID, check: @escaping ProjectCheck) {
        self.init(id, .project(check))
    }

    static func ofCampaigns(_ id: RuleID, check: @escaping CampaignCheck) -> Rule {
        Rule(id, .campaign(check))
    }

    static func ofWholeCampaigns(_ id: RuleID, check: @escaping CampaignCheck) -> Rule {
        Rule(id, .wholeCampaign(check))
    }

    /// Checks a condition in a campaign or on the command line.
    static func ofConditions(_ id: RuleID, check: @escaping ConditionCheck) -> Rule {
        Rule(id, .condition(check))
    }
}

/// What rules look at.
///
/// A class, because every check is handed all of it. Nothing in it changes but what `places` has
/// worked out.
package final class RuleContext: Sendable {
    package let project: Project
    package let declarations: Declarations
    package let surveys: ListSurveys
    package let now: Instant
    let zones: TimeZoneDatabase
    /// What the campaigns do together; it is there when all have been looked at one by one.
    let together: Together
    /// Campaigns whose documents, or the project's, have errors: what seems to be missing there
    /// may only be misspelt.
    private let flawed: Set<CampaignID>
    private let places: CampaignPlaces
    let declaredReach: ReachEstimate
    let knownReach: ReachEstimate
    let hasProtectedEnvironment: Bool
    /// The audiences marked `test: true`.
    let testAudiences: Set<AudienceID>

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
        together = Together()
        flawed = []
        places = CampaignPlaces()
        declaredReach = ReachEstimate(declaredBy: project)
        knownReach = ReachEstimate(of: project, knownFrom: surveys)
        hasProtectedEnvironment = project.environments.contains(where: \.settings.isProtected)
        testAudiences = Set(project.audiences.filter(\.isTest).map(\.id))
    }

    private init(_ context: RuleContext, flawed: Set<CampaignID>, together: Together) {
        project = context.project
        declarations = context.declarations
        surveys = context.surveys
        now = context.now
        zones = context.zones
        places = context.places
        declaredReach = context.declaredReach
        knownReach = context.knownReach
        hasProtectedEnvironment = context.hasProtectedEnvironment
        testAudiences = context.testAudiences
        self.flawed = flawed
        self.together = together
    }

    /// A campaign as written, to point into its file.
    func declaration(of campaign: Campaign) -> CampaignDeclaration? {
        document(of: campaign)?.value
    }

    func document(of campaign: Campaign) -> CampaignDocument? {
        places.place(of: campaign.id, in: declarations.campaigns)
            .map { declarations.campaigns[$0] }
    }

    /// The document of the campaign with this number; both stand in the same order, and mostly
    /// every document has its campaign.
    func document(ofCampaign number: Int) -> CampaignDocument? {
        let campaign = project.campaigns[number]
        if number < declarations.campaigns.count,
            declarations.campaigns[number].value.campaign?.value == campaign.id
        {
            return declarations.campaigns[number]
        }
        return document(of: campaign)
    }

    /// Whether all that the author wrote of a campaign was understood.
    func isWhole(_ campaign: Campaign) -> Bool { !flawed.contains(campaign.id) }

    /// With what reading the files has found.
    fileprivate func afterReading(_ log: DiagnosticLog) -> RuleContext {
        RuleContext(self, flawed: log.hasErrors ? flawedCampaigns(log) : [], together: together)
    }

    /// With what the campaigns do together.
    fileprivate func together(_ facts: [CampaignFacts]) -> RuleContext {
        RuleContext(self, flawed: flawed, together: Together(facts, self))
    }

    private func flawedCampaigns(_ log: DiagnosticLog) -> Set<CampaignID> {
        var places: [SourceID: [Int]] = [:]
        for diagnostic in log.diagnostics where diagnostic.severity == .error {
            guard let span = diagnostic.span else { continue }
            places[span.source, default: []].append(span.start)
        }
        places = places.mapValues { $0.sorted() }
        let projectFile = declarations.project?.project?.span.source
        let isProjectFlawed = projectFile.map { places[$0] != nil } ?? true
        var flawed: Set<CampaignID> = []
        for declared in declarations.campaigns {
            let span = declared.span
            let offsets = places[span.source] ?? []
            let first = offsets.partitionIndex { $0 >= span.start }
            let isFlawed = first < offsets.count && offsets[first] <= span.end
            guard let id = declared.value.campaign?.value, isProjectFlawed || isFlawed
            else { continue }
            flawed.insert(id)
        }
        return flawed
    }
}

extension [Rule] {
    package func check(_ context: RuleContext, _ log: inout DiagnosticLog) {
        let context = context.afterReading(log)
        let checks = CampaignChecks(self)
        let campaigns = mapInParallel([Int](context.project.campaigns.indices)) { number in
            checks.look(at: number, context)
        }
        let complete = context.together(campaigns.compactMap(\.facts))
        let found = mapInParallel(checks.ofProject, grain: 1) { rule in
            var log = DiagnosticLog()
            rule.check(complete, &log)
            return log.diagnostics
        }
        for place in campaigns.indices where !campaigns[place].findings.isEmpty {
            for diagnostic in campaigns[place].findings { log.report(diagnostic) }
        }
        for diagnostic in found.joined() { log.report(diagnostic) }
    }
}

extension ConditionDeclaration {
    /// The findings of all rules that check a condition alone.
    package var findings: [Diagnostic] { conditionChecks.flatMap { $0(self) } }
}

private let conditionChecks: [Rule.ConditionCheck] = allRules.compactMap { rule in
    if case .condition(let check) = rule.check { check } else { nil }
}

/// What the rules look for in single campaigns.
///
/// A class, because all cores hold it all the time.
private final class CampaignChecks: Sendable {
    // Functions alone would each be wrapped once more in a list, and unwrapped at every call.
    struct OfProject: Sendable { let check: Rule.ProjectCheck }
    private struct OfCampaign: Sendable { let check: Rule.CampaignCheck }
    private struct OfCondition: Sendable { let check: Rule.ConditionCheck }

    let ofProject: [OfProject]
    private let ofAll: [OfCampaign]
    private let ofConditions: [OfCondition]
    private let ofWhole: [OfCampaign]

    init(_ rules: [Rule]) {
        var ofProject: [OfProject] = []
        var ofAll: [OfCampaign] = []
        var ofConditions: [OfCondition] = []
        var ofWhole: [OfCampaign] = []
        for rule in rules {
            switch rule.check {
            case .project(let check): ofProject.append(OfProject(check: check))
            case .campaign(let check): ofAll.append(OfCampaign(check: check))
            case .condition(let check): ofConditions.append(OfCondition(check: check))
            case .wholeCampaign(let check): ofWhole.append(OfCampaign(check: check))
            }
        }
        self.ofProject = ofProject
        self.ofAll = ofAll
        self.ofConditions = ofConditions
        self.ofWhole = ofWhole
    }

    /// What is to be said of one campaign by itself, and what the rules for several want to know
    /// of it: nothing, where it was not understood as a whole.
    func look(
        at number: Int,
        _ context: RuleContext
    ) -> (findings: [Diagnostic], facts: CampaignFacts?) {
        let campaign = context.project.campaigns[number]
        let document = context.document(ofCampaign: number)
        let isWhole = context.isWhole(campaign)
        var log = DiagnosticLog()
        if case .condition(let condition)? = document?.value.audience?.value {
            for rule in ofConditions {
                for finding in rule.check(condition.value) { log.report(finding) }
            }
        }
        campaign.forEachWording(as: document) { wording in
            let subject = CampaignSubject(wording, document, context)
            for rule in ofAll { rule.check(subject, &log) }
            guard isWhole else { return }
            for rule in ofWhole { rule.check(subject, &log) }
        }
        return (log.diagnostics, isWhole ? CampaignFacts(campaign, context) : nil)
    }
}
