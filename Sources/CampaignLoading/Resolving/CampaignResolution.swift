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
        var seen = NameTable()
        let lists = Dictionary(
            audiences.map { ($0.id, $0.list) },
            uniquingKeysWith: { first, _ in first }
        )
        var campaigns: [Campaign] = []
        for declared in declarations.campaigns {
            let declaration = declared.value
            // A log of its own: while two hold the same one, every report would copy it.
            var timing = TimingResolution(zones: zones, projectZone: projectZone)
            let timed = timing.resolve(declaration)
            log.absorb(timing.log)
            zones = timing.zones
            let target = resolveTarget(declaration.audience, topics, lists)
            check(declaration, target)
            guard let id = declaration.campaign,
                seen.add(id.value.rawValue, "campaign", at: id.span, &log),
                let target, let timed, let message = declaration.message
            else { continue }
            campaigns.append(declaration.campaign(id.value, target, message.value, timed))
        }
        checkRenames()
        return campaigns
    }

    /// The names that audiences have, looked up once a run.
    struct AudienceNames {
        let inOrder: [String]
        let all: Set<String>
        /// Nothing is known of an audience whose name could not be read.
        let areComplete: Bool

        init(_ declarations: Declarations) {
            inOrder = declarations.audiences.compactMap { $0.value.audience?.value.rawValue }
            all = Set(inOrder)
            areComplete =
                inOrder.count == declarations.audiences.count && !declarations.areAudiencesDoubtful
        }
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
        let declared = audienceNames ?? AudienceNames(declarations)
        audienceNames = declared
        guard declared.areComplete, !declared.all.contains(id.rawValue),
            !declarations.doubtfulNames.contains(id.rawValue)
        else { return }
        let near = suggestions.nearest(to: id.rawValue, among: declared.inOrder)
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
