import CampaignModel
import Diagnostics

extension RolloutDeclaration {
    var resolved: Rollout {
        Rollout(
            canary: canary?.value,
            stages: stages?.value.map(\.value) ?? [],
            pause: pause?.value ?? 0,
            stopWhen: Rollout.StopConditions(
                rejected: stopWhen?.value.rejected?.value,
                unknown: stopWhen?.value.unknown?.value,
                held: stopWhen?.value.held?.value ?? false
            )
        )
    }

    /// Stages that are not larger than the previous one; shares and numbers cannot be compared.
    fileprivate var misplacedStages: [Spanned<Threshold>] {
        let stages = stages?.value ?? []
        return zip(stages, stages.dropFirst()).filter { before, stage in
            switch (before.value, stage.value) {
            case (.share(let first), .share(let second)): second <= first
            case (.count(let first), .count(let second)): second <= first
            case (.share, .count): true
            case (.count, .share): false
            }
        }.map(\.1)
    }
}

extension ProjectResolver {
    mutating func checkRollout(of campaign: CampaignDeclaration) {
        guard let rollout = campaign.rollout else { return }
        for stage in rollout.value.misplacedStages { log.report(.stageOrder(at: stage.span)) }
        for (key, span) in campaign.schedule?.value.keysOfOwnTimes ?? [] {
            log.report(.ownTimes(key, at: span, and: rollout.span))
        }
        if let first = rollout.value.stages?.value.first, first.value == .share(.none) {
            log.report(.emptyStage(at: first.span))
        }
    }

    /// Reports a canary that is not a list of your own people, or that would change how people are counted.
    ///
    /// - Parameters:
    ///   - name: The audience.
    ///   - canary: Its list.
    ///   - list: The campaign's list.
    /// - Returns: Whether the canary can be used.
    mutating func checkCanary(
        _ name: Spanned<AudienceID>,
        _ canary: RegistrationList,
        before list: RegistrationList
    ) -> Bool {
        let audience = declarations.audiences.first { $0.value.audience?.value == name.value }
        let isTest = audience?.value.test?.value ?? false
        // A value that cannot be read has its own error.
        if !isTest, !brokenAudiences.contains(name.value) {
            log.report(.canaryOfOthers(at: name.span))
        }
        let isAlike = list.identityColumns == nil || canary.identityColumns != nil
        if !isAlike { log.report(.canaryWithoutPeople(at: name.span)) }
        if canary.isReadAtSend != list.isReadAtSend {
            log.report(.canaryReadOtherwise(at: name.span))
        }
        return isTest && isAlike && canary.isReadAtSend == list.isReadAtSend
    }
}

extension ScheduleDeclaration {
    /// The keys that give recipients their own times.
    fileprivate var keysOfOwnTimes: [(key: String, span: SourceSpan)] {
        let zone = isPerZone && atColumn == nil ? timezone?.span : nil
        return [("timezone: recipient", zone), ("at_column", atColumn?.span)]
            .compactMap { key, span in span.map { (key, $0) } }
    }
}

extension Diagnostic {
    fileprivate static func stageOrder(at span: SourceSpan) -> Diagnostic {
        Diagnostic(
            rule: .rolloutStages,
            message: "this stage is not larger than the previous one",
            span: span,
            label: "should be larger",
            help: ["write numbers first, then shares, each larger than the previous one"]
        )
    }

    fileprivate static func emptyStage(at span: SourceSpan) -> Diagnostic {
        Diagnostic(
            rule: .rolloutStages,
            message: "the first stage has no recipients",
            span: span,
            label: "should be more than 0%",
            help: ["remove this stage"]
        )
    }

    fileprivate static func ownTimes(
        _ key: String,
        at span: SourceSpan,
        and rollout: SourceSpan
    ) -> Diagnostic {
        Diagnostic(
            rule: .conflictingKeys,
            message: "a campaign cannot have both `rollout` and `\(key)`",
            span: span,
            label: "recipients get the message at their own times, so that no stage comes first",
            related: [RelatedPlace(span: rollout, message: "stages")],
            help: ["remove one of them"]
        )
    }

    fileprivate static func canaryOfOthers(at span: SourceSpan) -> Diagnostic {
        Diagnostic(
            rule: .rolloutStages,
            message: "the canary is not a test audience",
            span: span,
            label: "should have `test: true`",
            help: [
                "name an audience of your own people, and write `test: true` in it; other recipients "
                    + "belong in the first stage"
            ]
        )
    }

    fileprivate static func canaryWithoutPeople(at span: SourceSpan) -> Diagnostic {
        Diagnostic(
            rule: .rolloutStages,
            message: "the canary has no `identity`, but the campaign's list does",
            span: span,
            label: "people of both lists could not be compared",
            help: ["write `identity: COLUMN` in the canary's `registrations`"]
        )
    }

    fileprivate static func canaryReadOtherwise(at span: SourceSpan) -> Diagnostic {
        Diagnostic(
            rule: .rolloutStages,
            message: "the canary and the campaign's list are read at different times",
            span: span,
            label: "should have the same `read`",
            help: ["write the same `read: at_apply` or `read: at_send` in both lists"]
        )
    }
}
