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
        /// Runs once for all files.
        case project(ProjectCheck)
        /// Runs for the campaigns of each environment.
        case environments(ProjectCheck)
        /// Runs for each campaign and each of its content versions.
        case campaign(CampaignCheck)
        /// Runs for each condition that a campaign addresses.
        case condition(ConditionCheck)
        /// Runs for each campaign without errors; for rules that find missing parts.
        case wholeCampaign(CampaignCheck)
    }

    package let id: RuleID
    let check: Check

    private init(_ id: RuleID, check: Check) {
        self.id = id
        self.check = check
    }

    /// Checks all files at once, for rules on lists, or with the clock.
    init(_ id: RuleID, check: @escaping ProjectCheck) {
        self.init(id, check: .project(check))
    }

    /// Checks the campaigns of each environment together, for rules across campaigns.
    ///
    /// Campaigns that share no environment never meet.
    static func ofEnvironments(_ id: RuleID, check: @escaping ProjectCheck) -> Rule {
        Rule(id, check: .environments(check))
    }

    /// Checks each campaign once per variant and locale.
    static func ofCampaigns(_ id: RuleID, check: @escaping CampaignCheck) -> Rule {
        Rule(id, check: .campaign(check))
    }

    /// Checks each campaign without errors once per variant and locale, for rules that find missing
    /// parts.
    static func ofWholeCampaigns(_ id: RuleID, check: @escaping CampaignCheck) -> Rule {
        Rule(id, check: .wholeCampaign(check))
    }

    /// Checks a condition in a campaign or on the command line.
    static func ofConditions(_ id: RuleID, check: @escaping ConditionCheck) -> Rule {
        Rule(id, check: .condition(check))
    }
}

/// The files of each list that Git tracks.
package typealias TrackedFiles = [RegistrationList: [String]]

/// The input of rules.
///
/// It is a class, because every check receives all of it. Only the result of `places` changes.
package final class RuleContext: Sendable {
    package let project: Project
    package let declarations: Declarations
    package let surveys: ListSurveys
    package let now: Instant
    let zones: TimeZoneDatabase
    /// The analysis across the campaigns of an environment, for rules of environments.
    let together: CrossCampaignAnalysis
    /// Campaigns with errors in their documents or in the project file.
    ///
    /// A key that seems to be missing there may be misspelled.
    private let flawed: Set<CampaignID>
    private let places: CampaignPlaces
    /// The documents from which campaigns inherit shared messages.
    private let messageDocuments: SpanIndex
    let declaredReach: ReachEstimate
    let knownReach: ReachEstimate
    let hasProtectedEnvironment: Bool
    /// The audiences marked `test: true`.
    let testAudiences: Set<AudienceID>
    let trackedFiles: TrackedFiles?

    /// `trackedFiles`: nil if Git was not queried.
    package init(
        project: Project,
        declarations: Declarations,
        surveys: ListSurveys,
        zones: TimeZoneDatabase,
        now: Instant,
        trackedFiles: TrackedFiles? = nil
    ) {
        self.project = project
        self.declarations = declarations
        self.surveys = surveys
        self.zones = zones.readingOnce()
        self.now = now
        together = CrossCampaignAnalysis()
        flawed = []
        places = CampaignPlaces()
        messageDocuments = SpanIndex(declarations.messages.map(\.span))
        declaredReach = ReachEstimate(declaredBy: project)
        knownReach = ReachEstimate(of: project, knownFrom: surveys)
        hasProtectedEnvironment = project.environments.contains(where: \.settings.isProtected)
        testAudiences = Set(project.audiences.filter(\.isTest).map(\.id))
        self.trackedFiles = trackedFiles
    }

    private init(_ context: RuleContext, flawed: Set<CampaignID>, together: CrossCampaignAnalysis) {
        project = context.project
        declarations = context.declarations
        surveys = context.surveys
        now = context.now
        zones = context.zones
        places = context.places
        messageDocuments = context.messageDocuments
        declaredReach = context.declaredReach
        knownReach = context.knownReach
        hasProtectedEnvironment = context.hasProtectedEnvironment
        testAudiences = context.testAudiences
        trackedFiles = context.trackedFiles
        self.flawed = flawed
        self.together = together
    }

    /// The lists of the audiences by name.
    var listsOfAudiences: [AudienceID: RegistrationList] {
        Dictionary(project.audiences.map { ($0.id, $0.list) }) { first, _ in first }
    }

    /// Returns a campaign as written, for spans in its file.
    func declaration(of campaign: Campaign) -> CampaignDeclaration? {
        document(of: campaign)?.value
    }

    func document(of campaign: Campaign) -> CampaignDocument? {
        places.place(of: campaign.id, in: declarations.campaigns)
            .map { declarations.campaigns[$0] }
    }

    /// Returns the document of the campaign with this number.
    ///
    /// Both are in the same order, and usually every document has its campaign.
    func document(ofCampaign number: Int) -> CampaignDocument? {
        let campaign = project.campaigns[number]
        if number < declarations.campaigns.count,
            declarations.campaigns[number].value.campaign?.value == campaign.id
        {
            return declarations.campaigns[number]
        }
        return document(of: campaign)
    }

    /// Whether the campaign was read without errors.
    func isWhole(_ campaign: Campaign) -> Bool { !flawed.contains(campaign.id) }

    /// The file of `defaults`.
    var projectFile: SourceID? { declarations.project?.project?.span.source }

    /// Whether a value is in a document of shared messages.
    func isInSharedMessage(_ span: SourceSpan) -> Bool { messageDocuments.holds(span) }

    /// Returns the context with the findings of reading.
    fileprivate func afterReading(_ log: DiagnosticLog) -> RuleContext {
        RuleContext(self, flawed: log.hasErrors ? flawedCampaigns(log) : [], together: together)
    }

    /// Returns the context with the analysis across the campaigns of each environment.
    ///
    /// It is one context if every campaign belongs to every environment.
    fileprivate func byEnvironment(_ facts: [CampaignFacts]) -> [RuleContext] {
        guard let groups = declarations.campaignsByEnvironment else { return [together(facts)] }
        return groups.map { group in together(facts.filter { group.contains($0.campaign.id) }) }
    }

    private func together(_ facts: [CampaignFacts]) -> RuleContext {
        RuleContext(self, flawed: flawed, together: CrossCampaignAnalysis(of: facts, in: self))
    }

    private func flawedCampaigns(_ log: DiagnosticLog) -> Set<CampaignID> {
        let errors = ErrorPlaces(log)
        let isProjectFlawed = projectFile.map { errors.hasPlace(in: $0) } ?? true
        var flawedMessages: Set<SharedMessageID> = []
        for declared in declarations.messages where errors.hasPlace(in: declared.span) {
            flawedMessages.formUnion(declared.value.messages?.value.map(\.name.value) ?? [])
        }
        var flawed: Set<CampaignID> = []
        for declared in declarations.campaigns {
            let campaign = declared.value
            let isFlawed =
                isProjectFlawed || errors.hasPlace(in: declared.span)
                || campaign.extends.map { flawedMessages.contains($0.value) } == true
            guard let id = campaign.campaign?.value, isFlawed else { continue }
            flawed.insert(id)
        }
        return flawed
    }
}

/// The offsets at which errors begin, by file.
private struct ErrorPlaces {
    private let offsets: [SourceID: [Int]]

    init(_ log: DiagnosticLog) {
        var offsets: [SourceID: [Int]] = [:]
        for diagnostic in log.diagnostics where diagnostic.severity == .error {
            guard let span = diagnostic.span else { continue }
            offsets[span.source, default: []].append(span.start)
        }
        self.offsets = offsets.mapValues { $0.sorted() }
    }

    func hasPlace(in source: SourceID) -> Bool { offsets[source] != nil }

    /// Whether an error begins in the span or directly after it.
    func hasPlace(in span: SourceSpan) -> Bool {
        let offsets = offsets[span.source] ?? []
        let first = offsets.partitionIndex { $0 >= span.start }
        return first < offsets.count && offsets[first] <= span.end
    }
}

extension [Rule] {
    package func check(_ context: RuleContext, reportingTo log: inout DiagnosticLog) {
        let context = context.afterReading(log)
        let checks = CampaignChecks(self)
        let campaigns = mapInParallel([Int](context.project.campaigns.indices)) { number in
            checks.look(at: number, in: context)
        }
        let environments = context.byEnvironment(campaigns.compactMap(\.facts))
        let parts = checks.ofProject.flatMap { rule in
            (rule.isOfEnvironments ? environments : [context]).map { (rule: rule, context: $0) }
        }
        // With few campaigns, the rules take less time than starting a thread.
        let isSmall = campaigns.count < ParallelPieces().grain
        let grain = isSmall ? Swift.max(1, parts.count) : 1
        let found = mapInParallel(parts, grain: grain) { part in
            var log = DiagnosticLog()
            part.rule.check(part.context, &log)
            return log.diagnostics
        }
        var inherited = InheritedFindings(in: context)
        for place in campaigns.indices where !campaigns[place].findings.isEmpty {
            for diagnostic in campaigns[place].findings {
                if inherited.add(diagnostic, ofCampaign: place) { continue }
                log.report(diagnostic)
            }
        }
        for diagnostic in inherited.findings { log.report(diagnostic) }
        for diagnostic in found.joined() { log.report(diagnostic) }
        guard contains(where: { $0.id == .payloadTooLarge }) else { return }
        for diagnostic in context.tooLargeReplies { log.report(diagnostic) }
    }
}

extension ConditionDeclaration {
    /// The findings of all rules that check only the condition.
    package var findings: [Diagnostic] { conditionChecks.flatMap { $0(self) } }
}

private let conditionChecks: [Rule.ConditionCheck] = allRules.compactMap { rule in
    if case .condition(let check) = rule.check { check } else { nil }
}

/// The checks of rules for single campaigns.
///
/// It is a class, because all cores use it all the time.
private final class CampaignChecks: Sendable {
    // In an array, each bare function would get another wrapper, which every call would have to
    // unwrap.
    struct OfProject: Sendable {
        let check: Rule.ProjectCheck
        /// Whether it checks the campaigns of each environment.
        let isOfEnvironments: Bool
    }
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
            case .project(let check):
                ofProject.append(OfProject(check: check, isOfEnvironments: false))
            case .environments(let check):
                ofProject.append(OfProject(check: check, isOfEnvironments: true))
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

    /// Returns the findings for one campaign, and its facts for the rules across campaigns.
    ///
    /// The facts are nil if the campaign has errors.
    func look(
        at number: Int,
        in context: RuleContext
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
        campaign.forEachVersion(as: document) { version in
            let subject = CampaignSubject(version, document: document, in: context)
            for rule in ofAll { rule.check(subject, &log) }
            guard isWhole else { return }
            for rule in ofWhole { rule.check(subject, &log) }
        }
        return (log.diagnostics, isWhole ? CampaignFacts(of: campaign, in: context) : nil)
    }
}
