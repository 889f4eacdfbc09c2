import ArgumentParser
import CampaignLoading
import CampaignModel
import Diagnostics
import Planning
import Presentation
import State
import Text

/// Options that select campaigns and audiences for plan and apply.
struct SelectionOptions: ParsableArguments {
    @Option(
        name: .long,
        help: ArgumentHelp(
            "Select only this and the memberships that it needs. Repeatable.",
            discussion: "A campaign or audience by name, `label:NAME`, `label:NAME=VALUE`, or a "
                + "file, a directory or a pattern such as `campaigns/**/summer-*.yaml`.",
            valueName: "what"
        ),
        completion: .selected
    )
    var only: [String] = []

    @Option(
        name: .long,
        help: ArgumentHelp(
            "Leave out this and all that depends on it. Repeatable.",
            valueName: "what"
        ),
        completion: .selected
    )
    var except: [String] = []

    /// Reports the number of excluded items, if there are any.
    ///
    /// The text of a plan already contains it.
    func show(_ plan: Plan) {
        guard plan.leftOut > 0 else { return }
        let options = (only.isEmpty ? [] : ["--only"]) + (except.isEmpty ? [] : ["--except"])
        Output.message(SelectionWording.leftOut(plan.leftOut, by: options))
    }

    /// - Throws: A usage failure if a selector matches nothing.
    func selection(
        of target: PlanningTarget,
        in directory: String
    ) async throws(CommandFailure) -> Selection {
        guard !only.isEmpty || !except.isEmpty else { return .everything }
        let (campaigns, memberships) = try await mapStateErrors {
            () async throws(StateStoreError) in
            (try await target.store.campaigns(), try await target.store.membershipOverview())
        }
        let catalog = SelectionCatalog(
            of: target,
            campaigns: campaigns,
            memberships: memberships.summaries
        )
        let inProject = { (text: String) in
            text.hasPrefix(directory + "/") ? String(text.dropFirst(directory.count + 1)) : text
        }
        do throws(SelectionError) {
            return try catalog.selection(
                only: only.map(inProject),
                except: except.map(inProject)
            )
        } catch {
            if target.project.elsewhere.contains(where: { $0.rawValue == error.selector }) {
                throw CommandFailure(.campaignElsewhere(error.selector), exit: .usage)
            }
            throw CommandFailure(
                .emptySelection(by: error.selector, candidates: error.candidates),
                exit: .usage
            )
        }
    }
}

extension SelectionCatalog {
    /// The names in the files, and those that exist only in the state.
    fileprivate init(
        of target: PlanningTarget,
        campaigns: Set<CampaignID>,
        memberships: [MembershipSummary]
    ) {
        let checked = target.checked
        var paths: [CampaignID: String] = [:]
        for document in checked.declarations.campaigns {
            guard let id = document.value.campaign?.value else { continue }
            paths[id] = checked.catalog.path(of: document.span.source)
        }
        for document in checked.declarations.upstream where document.value.reply != nil {
            guard let id = document.value.upstream.flatMap({ CampaignID($0.value.rawValue) })
            else { continue }
            paths[id] = checked.catalog.path(of: document.span.source)
        }
        let replies = target.project.upstream.filter { $0.actions.reply != nil }
            .compactMap(\.replies)
        let inFiles =
            target.project.campaigns.map { SelectableCampaign($0, path: paths[$0.id]) }
            + target.project.corrections.map { SelectableCampaign($0, path: paths[$0.id]) }
            + replies.map { SelectableCampaign(id: $0, path: paths[$0]) }
        let named = Set(inFiles.flatMap { [$0.id, $0.formerID].compactMap(\.self) })
        let gone = campaigns.subtracting(named).sorted()
        self.init(
            campaigns: inFiles + gone.map { SelectableCampaign(id: $0) },
            audiences: Self.audiences(of: target, memberships: memberships)
        )
    }

    private static func audiences(
        of target: PlanningTarget,
        memberships: [MembershipSummary]
    ) -> [SelectableAudience] {
        var found: [AudienceID: SelectableAudience] = [:]
        func add(_ id: AudienceID, _ change: (inout SelectableAudience) -> Void) {
            change(&found[id, default: SelectableAudience(id: id)])
        }
        let catalog = target.checked.catalog
        for document in target.checked.declarations.audiences {
            guard let id = document.value.audience?.value else { continue }
            let labels = document.value.labels?.value ?? []
            add(id) { audience in
                audience.paths.insert(catalog.path(of: document.span.source))
                for label in labels { audience.labels[label.name.value.rawValue] = label.content }
            }
        }
        for document in target.checked.declarations.removals {
            guard let id = document.value.removed?.value.audience?.value else { continue }
            add(id) { $0.paths.insert(catalog.path(of: document.span.source)) }
        }
        for audience in target.project.audiences {
            add(audience.id) { $0.topics.formUnion(audience.subscribe ?? []) }
        }
        for summary in memberships where summary.count > 0 {
            add(summary.audience) { $0.topics.insert(summary.topic) }
        }
        return found.values.sorted { $0.id < $1.id }
    }
}
