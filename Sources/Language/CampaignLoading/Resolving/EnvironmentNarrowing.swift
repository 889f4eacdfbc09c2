package import CampaignModel
import Diagnostics
import Text

/// The declarations as one environment has them.
struct NarrowedDeclarations {
    let declarations: Declarations
    /// The campaigns that do not belong to the environment.
    let elsewhere: [CampaignID]
    /// The documents of these campaigns, and the lists that the environment replaces.
    let unused: [SourceSpan]
    /// Whether the environment has other campaigns, lists or defaults than the files alone.
    let isChanged: Bool
}

extension Declarations {
    /// Returns the campaigns that belong to an environment, and the audiences with their lists
    /// there.
    ///
    /// If the environment has `lists`, an audience without an entry is omitted, so that nothing can
    /// use the list of another environment. `checkEnvironments` reports it.
    func narrowed(to id: EnvironmentID) -> NarrowedDeclarations {
        let environment = declaration(of: id) ?? EnvironmentDeclaration()
        var narrowed = self
        var unused: [SourceSpan] = []
        let others = Set(
            campaigns.lazy.filter { !environment.includes($0.value, as: id) }
                .compactMap { $0.value.campaign?.value }
        )
        func belongs(_ campaign: CampaignDocument) -> Bool {
            // A correction has no other environments than the campaign that it corrects.
            environment.includes(campaign.value, as: id)
                && campaign.value.corrects.map { !others.contains($0.value.campaign) } ?? true
        }
        let left = campaigns.filter { !belongs($0) }
        if !left.isEmpty {
            narrowed.campaigns = campaigns.filter(belongs)
            unused = left.map(\.span)
        }
        if let lists = environment.lists?.value {
            narrowed.audiences = audiences.compactMap { $0.replacingList(by: lists) }
            unused += audiences.compactMap { $0.value.registrations?.span }
            let names = audiences.compactMap { $0.value.audience?.value.rawValue }
            let listed = lists.map(\.name.value.rawValue)
            narrowed.doubtfulNames.formUnion(Set(names).subtracting(listed))
        }
        return NarrowedDeclarations(
            declarations: narrowed,
            elsewhere: left.compactMap { $0.value.campaign?.value },
            unused: unused,
            isChanged: !unused.isEmpty || environment.defaults != nil
        )
    }

    /// The campaigns of each environment; nil if every campaign belongs to every environment.
    ///
    /// An environment is left out if another one has all of its campaigns.
    package var campaignsByEnvironment: [Set<CampaignID>]? {
        let declared = project?.environments?.value ?? []
        let isNarrowed = declared.contains { $0.content?.only != nil || $0.content?.except != nil }
        guard isNarrowed || campaigns.contains(where: { $0.value.environments != nil }) else {
            return nil
        }
        var environments = declared.map { ($0.name.value, $0.content ?? EnvironmentDeclaration()) }
        if let local = EnvironmentID("local"), !environments.contains(where: { $0.0 == local }) {
            environments.append((local, EnvironmentDeclaration()))
        }
        let groups = environments.map { id, environment in
            let own = campaigns.filter { environment.includes($0.value, as: id) }
            return Set(own.compactMap { $0.value.campaign?.value })
        }
        return groups.indices.filter { place in
            !groups.indices.contains { other in
                groups[place].isStrictSubset(of: groups[other])
                    || other < place && groups[place] == groups[other]
            }
        }.map { groups[$0] }
    }

    private func declaration(of id: EnvironmentID) -> EnvironmentDeclaration? {
        project?.environments?.value.first { $0.name.value == id }?.content
    }
}

extension Spanned<AudienceDeclaration> {
    /// Returns the audience with its list in an environment; nil if it has none there.
    ///
    /// A set has no separate list. An audience without a name was reported.
    fileprivate func replacingList(
        by lists: [NamedEntry<AudienceID, EnvironmentList>]
    ) -> Spanned<AudienceDeclaration>? {
        guard let id = value.audience?.value, !value.isSet else { return self }
        guard let entry = lists.first(where: { $0.name.value == id }) else { return nil }
        var audience = value
        if let list = entry.content, let own = audience.registrations {
            let replaced = own.value.inFile(list.path)
            audience.registrations = Spanned<ListReference>(replaced, at: list.span)
        }
        return Spanned(audience, at: span)
    }
}

// MARK: - Checks

extension Declarations {
    /// Reports unknown names in `lists`, `only`, `except` and `environments`, and lists that an
    /// environment with `lists` does not have.
    ///
    /// `environment`: the only environment whose missing lists are reported; nil for all of them.
    func checkEnvironments(
        only environment: EnvironmentID?,
        reportingTo log: inout DiagnosticLog
    ) {
        checkEnvironmentsOfCampaigns(reportingTo: &log)
        for entry in project?.environments?.value ?? [] {
            guard let content = entry.content else { continue }
            for selection in [content.only, content.except] {
                checkNames(in: selection?.value, reportingTo: &log)
            }
            guard let lists = content.lists?.value else { continue }
            checkNames(in: lists, reportingTo: &log)
            guard environment.map({ $0 == entry.name.value }) ?? true else { continue }
            reportMissingLists(in: entry.name, content, reportingTo: &log)
        }
    }

    private func checkEnvironmentsOfCampaigns(reportingTo log: inout DiagnosticLog) {
        guard !areEnvironmentsDoubtful, project != nil else { return }
        let declared = (project?.environments?.value ?? []).map(\.name.value.rawValue)
        let known = declared.contains("local") ? declared : ["local"] + declared
        for campaign in campaigns {
            for name in campaign.value.environments?.value ?? []
            where !known.contains(name.value.rawValue) {
                log.report(.unknownEnvironment(name, among: known))
            }
        }
    }

    private func checkNames(
        in selection: CampaignSelectionDeclaration?,
        reportingTo log: inout DiagnosticLog
    ) {
        guard let names = selection?.names?.value, !areAudiencesDoubtful else { return }
        let known = campaigns.compactMap { $0.value.campaign?.value.rawValue }
        guard known.count == campaigns.count else { return }
        for name in names
        where !known.contains(name.value.rawValue) && !doubtfulNames.contains(name.value.rawValue) {
            log.report(.unknownCampaign(name, among: known))
        }
    }

    private func checkNames(
        in lists: [NamedEntry<AudienceID, EnvironmentList>],
        reportingTo log: inout DiagnosticLog
    ) {
        let known = audiences.compactMap { $0.value.audience?.value.rawValue }
        guard known.count == audiences.count, !areAudiencesDoubtful else { return }
        for name in lists.map(\.name)
        where !known.contains(name.value.rawValue) && !doubtfulNames.contains(name.value.rawValue) {
            log.report(.unknownListedAudience(name, among: known))
        }
        let sets = Set(audiences.filter(\.value.isSet).compactMap { $0.value.audience?.value })
        for name in lists.map(\.name) where sets.contains(name.value) {
            log.report(.listOfSet(name))
        }
    }

    private func reportMissingLists(
        in name: Spanned<EnvironmentID>,
        _ environment: EnvironmentDeclaration,
        reportingTo log: inout DiagnosticLog
    ) {
        let listed = Set(environment.lists?.value.map(\.name.value) ?? [])
        for audience in audiences {
            guard let id = audience.value.audience, !audience.value.isSet,
                !listed.contains(id.value)
            else { continue }
            log.report(.missingList(of: id, in: name))
        }
        for campaign in campaigns where environment.includes(campaign.value, as: name.value) {
            guard case .registrations(let list)? = campaign.value.audience?.value else { continue }
            log.report(.listOutsideOfLists(list.span, in: name))
        }
    }
}

extension Diagnostic {
    fileprivate static func unknownEnvironment(
        _ name: Spanned<EnvironmentID>,
        among known: [String]
    ) -> Diagnostic {
        unknown(
            Spanned(name.value.rawValue, at: name.span),
            "an environment",
            among: known,
            orElse: "write \(known.oneOf), or declare it in herald.yaml"
        )
    }

    static func unknownCampaign(
        _ name: Spanned<CampaignID>,
        among known: [String]
    ) -> Diagnostic {
        unknown(
            Spanned(name.value.rawValue, at: name.span),
            "a campaign",
            among: known,
            orElse: "remove it, or write the name of a `campaign:` document"
        )
    }

    private static func unknown(
        _ name: Spanned<String>,
        _ kind: String,
        among known: [String],
        orElse help: String
    ) -> Diagnostic {
        let near = SpellingSuggestion.nearest(to: name.value, among: known)
        return Diagnostic(
            rule: .unknownValue,
            message: "`\(name.value)` is not the name of \(kind)",
            span: name.span,
            label: "unknown name",
            help: [near.map { "did you mean `\($0)`?" } ?? help],
            fix: near.map { Fix(span: name.span, replacement: $0) }
        )
    }

    fileprivate static func unknownListedAudience(
        _ name: Spanned<AudienceID>,
        among known: [String]
    ) -> Diagnostic {
        let near = SpellingSuggestion.nearest(to: name.value.rawValue, among: known)
        return Diagnostic(
            rule: .unknownAudience,
            message: "there is no audience `\(name.value)`",
            span: name.span,
            label: "not an `audience:` document",
            help: [
                near.map { "did you mean `\($0)`?" }
                    ?? "remove the entry, or add the document `audience: \(name.value)`"
            ],
            fix: near.map { Fix(span: name.span, replacement: $0) }
        )
    }

    fileprivate static func missingList(
        of audience: Spanned<AudienceID>,
        in environment: Spanned<EnvironmentID>
    ) -> Diagnostic {
        Diagnostic(
            rule: .environmentList,
            message:
                "audience `\(audience.value)` has no list in the environment `\(environment.value)`",
            span: audience.span,
            label: "its own list may belong to another environment",
            related: [
                RelatedPlace(span: environment.span, message: "this environment has `lists`")
            ],
            help: [
                "add `\(audience.value): FILE` to `lists` of `environments.\(environment.value)`"
            ]
        )
    }

    fileprivate static func listOfSet(_ name: Spanned<AudienceID>) -> Diagnostic {
        Diagnostic(
            rule: .environmentList,
            message: "audience `\(name.value)` is a set, so no file can replace it",
            span: name.span,
            label: "composed of the lists of other audiences",
            help: ["remove the entry, and name the files of the audiences in the set"]
        )
    }

    fileprivate static func listOutsideOfLists(
        _ list: SourceSpan,
        in environment: Spanned<EnvironmentID>
    ) -> Diagnostic {
        Diagnostic(
            rule: .environmentList,
            message:
                "this list would be used in the environment `\(environment.value)`, which has its "
                + "own `lists`",
            span: list,
            label: "may belong to another environment",
            related: [
                RelatedPlace(span: environment.span, message: "this environment has `lists`")
            ],
            help: [
                "put the list into an `audience:` document, and add its file to `lists` of "
                    + "`environments.\(environment.value)`"
            ]
        )
    }
}
