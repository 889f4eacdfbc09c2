import CampaignModel
import Diagnostics
import Time
import YAMLSyntax

extension ProjectResolver {
    mutating func resolveAudiences(_ topics: [Topic: TopicDescription]?) -> [Audience] {
        var seen = NameTable()
        var audiences: [Audience] = []
        let lists = resolveLists()
        for declared in declarations.audiences {
            let declaration = declared.value
            for topic in declaration.subscribe?.value ?? [] { check(topic, among: topics) }
            guard let id = declaration.audience,
                seen.add(id.value.rawValue, as: "audience", at: id.span, reportingTo: &log),
                let list = lists[id.value]
            else { continue }
            checkTransport(of: declaration, kind: list.kind)
            audiences.append(
                Audience(
                    id: id.value,
                    about: declaration.about?.value,
                    list: list,
                    subscribe: declaration.subscribe.map { unique($0.value) },
                    rejoins: declaration.rejoin?.value ?? false,
                    transport: declaration.transport?.value ?? .auto,
                    isTest: declaration.test?.value ?? false,
                    acknowledgement: declaration.acknowledge?.value.resolved,
                    columns: columns(of: declaration)
                )
            )
        }
        return audiences
    }

    private func columns(of declaration: AudienceDeclaration) -> [String: ListColumn] {
        let entries = declaration.columns?.value ?? []
        return Dictionary(
            entries.map {
                ($0.name.value, ListColumn(standard: $0.content?.standard?.value))
            },
            uniquingKeysWith: { first, _ in first }
        )
    }

    private mutating func checkTransport(
        of declaration: AudienceDeclaration,
        kind: RegistrationFile.Kind
    ) {
        guard let transport = declaration.transport, transport.value == .batch, kind == .fid
        else { return }
        log.report(
            Diagnostic(
                rule: .conflictingKeys,
                message: "batches take registration tokens, but the list contains installation IDs",
                span: transport.span,
                label: "the list has `kind: fid`",
                help: ["write `per_registration`, or remove the line"]
            )
        )
    }

    /// A topic that is named twice is desired once.
    private func unique(_ topics: [Spanned<Topic>]) -> [Topic] {
        var seen: Set<Topic> = []
        return topics.map(\.value).filter { seen.insert($0).inserted }
    }

    mutating func resolveCampaigns(
        topics: [Topic: TopicDescription]?,
        audiences: [Audience],
        projectZone: String
    ) -> [Campaign] {
        let lists = Dictionary(
            audiences.map { ($0.id, $0.list) },
            uniquingKeysWith: { first, _ in first }
        )
        let named = declarations.campaigns.compactMap { document -> String? in
            guard let schedule = document.value.schedule?.value, !schedule.isPerZone else {
                return nil
            }
            return schedule.timezone?.value
        }
        for zone in Set(named).union([projectZone]) { _ = try? zones.rules(named: zone) }
        var fresh = self
        fresh.log = DiagnosticLog()
        fresh.unknownNames = []
        let resolved = mapInParallel(
            declarations.campaigns,
            in: ParallelPieces(lastFirst: true),
            each: fresh
        ) { resolver, document in
            let campaign = resolver.resolve(
                document.value,
                topics: topics,
                lists: lists,
                projectZone: projectZone
            )
            let found = resolver.takeFindings()
            let id = document.value.campaign
            return (id: id, campaign: campaign, log: found.log, unknown: found.unknown)
        }
        var seen = NameTable(minimumCapacity: resolved.count)
        var campaigns: [Campaign] = []
        campaigns.reserveCapacity(resolved.count)
        for place in resolved.indices {
            log.absorb(resolved[place].log)
            unknownNames += resolved[place].unknown
            guard let id = resolved[place].id,
                seen.add(id.value.rawValue, as: "campaign", at: id.span, reportingTo: &log),
                let campaign = resolved[place].campaign
            else { continue }
            campaigns.append(campaign)
        }
        checkRenames()
        checkExperiments()
        return campaigns
    }

    /// Removes and returns the findings since the last call.
    private mutating func takeFindings() -> (log: DiagnosticLog, unknown: [UnknownName]) {
        var found = (log: DiagnosticLog(), unknown: [UnknownName]())
        swap(&found.log, &log)
        swap(&found.unknown, &unknownNames)
        return found
    }

    private mutating func resolve(
        _ declaration: CampaignDeclaration,
        topics: [Topic: TopicDescription]?,
        lists: [AudienceID: RegistrationList],
        projectZone: String
    ) -> Campaign? {
        guard declaration.corrects == nil else { return nil }
        var timing = TimingResolution(zones: zones, projectZone: projectZone)
        let timed = timing.resolve(declaration)
        log.absorb(timing.log)
        if let (zone, error) = timing.unknownZone { unknownNames.append(.zone(zone, error)) }
        let target = self.target(
            resolveTarget(declaration.audience, topics: topics, lists: lists),
            of: declaration,
            lists: lists
        )
        check(declaration, target: target)
        checkTemplates(in: declaration)
        let isMessageKnown = check(declaration.extends)
        guard let id = declaration.campaign, let target, let timed, isMessageKnown,
            let message = declaration.message
        else { return nil }
        let project = declarations.project?.project?.value.rawValue ?? ""
        let text = ResolvedText(
            message: message.value,
            encryption: declaration.encrypt?.value.resolved(in: project),
            recall: declarations.project?.recall?.value.resolved
        )
        return declaration.campaign(id.value, target: target, text: text, timing: timed)
    }

    private mutating func resolveTarget(
        _ reference: Spanned<AudienceReference>?,
        topics: [Topic: TopicDescription]?,
        lists: [AudienceID: RegistrationList]
    ) -> AudienceTarget? {
        switch reference?.value {
        case .topic(let topic):
            check(topic, among: topics)
            return .topic(topic.value)
        case .condition(let condition):
            let declared = condition.value
            for mention in declared.condition.mentions {
                check(Spanned(mention.topic, at: declared.span(of: mention.range)), among: topics)
            }
            return .condition(declared.condition)
        case .registrations(let list):
            return .registrations(list.value.list)
        case .group(let name):
            return .group(name)
        case .named(let id):
            if let list = lists[id] { return .registrations(list) }
            if let span = reference?.span {
                unknownNames.append(.audience(Spanned(id, at: span)))
            }
            return nil
        case nil:
            return nil
        }
    }
}
