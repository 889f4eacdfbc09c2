import CampaignModel
import Diagnostics
import Scheduling
import YAMLSyntax

extension ProjectResolver {
    mutating func resolveAudiences(_ topics: [Topic: TopicDescription]?) -> [Audience] {
        var seen = NameTable()
        var audiences: [Audience] = []
        for declared in declarations.audiences {
            let declaration = declared.value
            for topic in declaration.subscribe?.value ?? [] { check(topic, topics) }
            guard let id = declaration.audience,
                seen.add(id.value.rawValue, "audience", at: id.span, &log),
                let list = declaration.registrations
            else { continue }
            audiences.append(
                Audience(
                    id: id.value,
                    about: declaration.about?.value,
                    list: list.value.list,
                    subscribe: declaration.subscribe.map { unique($0.value) },
                    rejoins: declaration.rejoin?.value ?? false,
                    isTest: declaration.test?.value ?? false
                )
            )
        }
        return audiences
    }

    /// A topic named twice is desired once.
    private func unique(_ topics: [Spanned<Topic>]) -> [Topic] {
        var seen: Set<Topic> = []
        return topics.map(\.value).filter { seen.insert($0).inserted }
    }

    mutating func resolveCampaigns(
        _ topics: [Topic: TopicDescription]?,
        _ audiences: [Audience],
        _ projectZone: String
    ) -> [Campaign] {
        let lists = Dictionary(
            audiences.map { ($0.id, $0.list) },
            uniquingKeysWith: { first, _ in first }
        )
        _ = try? zones.rules(named: projectZone)
        topicNames = topicNames ?? topics?.keys.sorted().map(\.name)
        var fresh = self
        fresh.log = DiagnosticLog()
        let resolved = mapInParallel(declarations.campaigns) { [fresh] document in
            var resolver = fresh
            let campaign = resolver.resolve(document.value, topics, lists, projectZone)
            return (campaign: campaign, log: resolver.log)
        }
        var seen = NameTable()
        var campaigns: [Campaign] = []
        campaigns.reserveCapacity(resolved.count)
        for place in resolved.indices {
            log.absorb(resolved[place].log)
            guard let id = declarations.campaigns[place].value.campaign,
                seen.add(id.value.rawValue, "campaign", at: id.span, &log),
                let campaign = resolved[place].campaign
            else { continue }
            campaigns.append(campaign)
        }
        checkRenames()
        return campaigns
    }

    private mutating func resolve(
        _ declaration: CampaignDeclaration,
        _ topics: [Topic: TopicDescription]?,
        _ lists: [AudienceID: RegistrationList],
        _ projectZone: String
    ) -> Campaign? {
        var timing = TimingResolution(zones: zones, projectZone: projectZone, log: log)
        let timed = timing.resolve(declaration)
        log = timing.log
        let target = resolveTarget(declaration.audience, topics, lists)
        check(declaration, target)
        refusePlaceholders(in: declaration)
        guard let id = declaration.campaign, let target, let timed,
            let message = declaration.message
        else { return nil }
        return declaration.campaign(id.value, target, message.value, timed)
    }

    private mutating func resolveTarget(
        _ reference: Spanned<AudienceReference>?,
        _ topics: [Topic: TopicDescription]?,
        _ lists: [AudienceID: RegistrationList]
    ) -> AudienceTarget? {
        switch reference?.value {
        case .topic(let topic):
            check(topic, topics)
            return .topic(topic.value)
        case .condition(let condition):
            let declared = condition.value
            for mention in declared.condition.mentions {
                check(Spanned(mention.topic, at: declared.span(of: mention.range)), topics)
            }
            return .condition(declared.condition)
        case .registrations(let list):
            return .registrations(list.value.list)
        case .group(let name):
            return .group(name)
        case .named(let id):
            if let list = lists[id] { return .registrations(list) }
            reportUnknownAudience(id, at: reference?.span)
            return nil
        case nil:
            return nil
        }
    }

    private mutating func reportUnknownAudience(_ id: AudienceID, at span: SourceSpan?) {
        let declared = declarations.audiences.compactMap { $0.value.audience?.value }
        let areNamesKnown =
            declared.count == declarations.audiences.count && !declarations.areAudiencesDoubtful
        guard areNamesKnown, !declared.contains(id),
            !declarations.doubtfulNames.contains(id.rawValue)
        else { return }
        let near = SpellingSuggestion.nearest(to: id.rawValue, among: declared.map(\.rawValue))
        log.report(
            Diagnostic(
                rule: .unknownAudience,
                message: "there is no audience `\(id)`",
                span: span,
                label: "not an `audience:` document",
                help: [near.map { "did you mean `\($0)`?" } ?? "write `topic: \(id)` for a topic"],
                fix: near.flatMap { near in span.map { Fix(span: $0, replacement: near) } }
            )
        )
    }
}
