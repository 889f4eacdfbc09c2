import CampaignModel
import Diagnostics
import JSON

extension CampaignDeclaration {
    /// Returns the model of a campaign; omitted parts were reported.
    func campaign(
        _ id: CampaignID,
        target: AudienceTarget,
        message: MessageDeclaration,
        timing: ResolvedTiming
    ) -> Campaign {
        Campaign(
            id: id,
            about: about?.value,
            owner: owner?.value,
            target: target,
            audience: audience?.value.name,
            excluded: exclude?.value.map(\.value) ?? [],
            content: MessageContent(fields: message.fields),
            delivery: delivery?.value.resolved(timing.expires) ?? .unspecified,
            schedule: timing.schedule,
            division: timing.division,
            timeliness: timing.timeliness,
            priority: priority.map { Int($0.value) } ?? 0,
            revision: revision.map { Int($0.value) } ?? 1,
            formerID: formerID?.value,
            labels: resolvedLabels,
            variants: resolvedVariants,
            localizations: resolvedLocales,
            coversOtherLocales: locales?.value.contains { $0.name.value == .others } ?? false,
            policy: policy
        )
    }

    private var resolvedLabels: [String: String] {
        Dictionary(
            (labels?.value ?? []).compactMap { entry in
                entry.content.map { (entry.name.value.rawValue, $0) }
            },
            uniquingKeysWith: { first, _ in first }
        )
    }

    private var resolvedVariants: [Variant] {
        (variants?.value ?? []).compactMap { entry in
            guard let weight = entry.content?.weight?.value else { return nil }
            let fields = entry.content?.message?.value.fields ?? message?.value.fields
            return Variant(
                id: entry.name.value,
                weight: Int(weight),
                content: MessageContent(fields: fields ?? [:])
            )
        }
    }

    private var resolvedLocales: [Localization] {
        (locales?.value ?? []).compactMap { entry in
            guard case .locale(let locale) = entry.name.value, let content = entry.content else {
                return nil
            }
            return Localization(locale: locale, content: MessageContent(fields: content.fields))
        }
    }

    private var policy: SendingPolicy {
        SendingPolicy(
            onUnknown: onUnknown?.value,
            rollout: rollout?.value.resolved,
            acknowledgement: acknowledge?.value.resolved,
            holdOut: holdOut?.value,
            record: record?.value ?? .counts,
            reasonAboveCap: cap == nil ? nil : reason?.value,
            objective: objective?.value
        )
    }
}

extension RolloutDeclaration {
    fileprivate var resolved: Rollout {
        Rollout(
            stages: stages?.value.map(\.value) ?? [],
            pause: pause?.value ?? 0,
            stopWhen: Rollout.StopConditions(
                rejected: stopWhen?.value.rejected?.value,
                unknown: stopWhen?.value.unknown?.value
            )
        )
    }
}

extension AcknowledgeDeclaration {
    fileprivate var resolved: Acknowledgement? {
        reason.map { reason in
            Acknowledgement(
                reach: reach.map { Int($0.value) },
                dead: dead?.value,
                change: change.map { Int($0.value) },
                reason: reason.value
            )
        }
    }
}

extension ChangeDeclaration {
    /// Nil if a key is missing, which was reported.
    var resolved: ChangeAcknowledgement? {
        guard let change, let reason else { return nil }
        return ChangeAcknowledgement(change: Int(change.value), reason: reason.value)
    }
}

extension AudienceReference {
    fileprivate var name: AudienceID? {
        guard case .named(let id) = self else { return nil }
        return id
    }
}

extension DeliveryDeclaration {
    fileprivate func resolved(_ expires: ScheduledMoment?) -> Delivery {
        Delivery(
            timeToLive: timeToLive?.value,
            expires: expires,
            priority: priority?.value,
            collapse: collapse?.value
        )
    }
}

// MARK: - Keys that need a list, or each other

extension ProjectResolver {
    mutating func check(_ campaign: CampaignDeclaration, target: AudienceTarget?) {
        if let target, !target.isList {
            for (key, span) in campaign.keysOfLists { log.report(.needsList(key, at: span)) }
        }
        checkZones(of: campaign, target: target)
        if let variants = campaign.variants, variants.value.count == 1,
            let only = variants.value.first
        {
            log.report(.singleVariant(at: only.name.span))
        }
        var locales = NameTable()
        for entry in campaign.locales?.value ?? [] {
            let (name, span) = (entry.name.value, entry.name.span)
            // Tags that differ only in case are the same locale.
            let tag = name.description.lowercased()
            _ = locales.add(tag, as: "locale", at: span, reportingTo: &log)
            if name == .others, let text = entry.content, let own = campaign.message?.value,
                text.fields != own.fields
            {
                log.report(.textOfOtherLocales(at: span))
            }
        }
        if let holdOut = campaign.holdOut, [0, 10_000].contains(holdOut.value.basisPoints) {
            log.report(.emptyHoldOut(holdOut.value, at: holdOut.span))
        }
        for stage in campaign.rollout?.value.misplacedStages ?? [] {
            log.report(.stageOrder(at: stage.span))
        }
    }

    /// The zones and times of recipients come from a list that is read before the sends are
    /// scheduled.
    private mutating func checkZones(of campaign: CampaignDeclaration, target: AudienceTarget?) {
        guard let schedule = campaign.schedule?.value, case .registrations(let list)? = target
        else { return }
        if let column = schedule.atColumn, list.isReadAtSend {
            log.report(.readAtSend("the times", at: column.span))
        }
        guard schedule.isPerZone, let span = schedule.timezone?.span else { return }
        if list.peopleColumns.timeZone == nil {
            log.report(.noZoneColumn(at: span))
        } else if list.isReadAtSend, schedule.atColumn == nil {
            log.report(.readAtSend("the time zones", at: span))
        }
    }

    /// A name in `moved_from` must be unused, and only one campaign may use it there.
    mutating func checkRenames() {
        guard declarations.campaigns.contains(where: { $0.value.formerID != nil }) else { return }
        var present: [CampaignID: SourceSpan] = [:]
        for campaign in declarations.campaigns {
            if let id = campaign.value.campaign { present[id.value] = id.span }
        }
        var taken: [CampaignID: SourceSpan] = [:]
        for campaign in declarations.campaigns {
            guard let former = campaign.value.formerID else { continue }
            let other = present[former.value] ?? taken[former.value]
            if let other { log.report(.nameInUse(former.value, at: former.span, by: other)) }
            taken[former.value] = former.span
        }
    }
}

extension AudienceTarget {
    fileprivate var isList: Bool {
        if case .registrations = self { true } else { false }
    }
}

extension CampaignDeclaration {
    fileprivate var keysOfLists: [(key: String, span: SourceSpan)] {
        let places = [
            ("variants", variants?.span), ("holdout", holdOut?.span), ("locales", locales?.span),
            ("rollout", rollout?.span), ("exclude", exclude?.span),
            ("timezone: recipient", schedule?.value.recipientZone),
            ("at_column", schedule?.value.atColumn?.span),
        ]
        return places.compactMap { key, span in span.map { (key, $0) } }
    }
}

extension ScheduleDeclaration {
    /// The place of `timezone: recipient`; nil if the times are in another zone.
    fileprivate var recipientZone: SourceSpan? { isPerZone ? timezone?.span : nil }
}

extension RolloutDeclaration {
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

extension Diagnostic {
    fileprivate static func needsList(_ key: String, at span: SourceSpan) -> Diagnostic {
        Diagnostic(
            rule: .needsList,
            message: "`\(key)` needs a list of registrations",
            span: span,
            label: "this audience gets one request for all devices",
            help: ["address a list, or remove `\(key)`"]
        )
    }

    fileprivate static func noZoneColumn(at span: SourceSpan) -> Diagnostic {
        Diagnostic(
            rule: .missingKey,
            message: "`timezone: recipient` needs the time zones of the list's rows",
            span: span,
            label: "the list names no column of time zones",
            help: [
                "write `registrations: { file: …, column: …, timezone: COLUMN }` in the audience, "
                    + "or an IANA name here"
            ]
        )
    }

    /// `what`: the times or the time zones.
    fileprivate static func readAtSend(_ what: String, at span: SourceSpan) -> Diagnostic {
        Diagnostic(
            rule: .conflictingKeys,
            message: "\(what) of a list with `read: at_send` are not known in advance",
            span: span,
            label: "needs them before the first send is due",
            help: ["remove `read: at_send` from the list"]
        )
    }

    fileprivate static func textOfOtherLocales(at span: SourceSpan) -> Diagnostic {
        Diagnostic(
            rule: .conflictingKeys,
            message: "`\"*\"` under `locales` contains a text",
            span: span,
            label: "stands for the campaign's own text",
            help: ["write `\"*\": {}`, and the text in `message`"]
        )
    }

    fileprivate static func singleVariant(at span: SourceSpan) -> Diagnostic {
        Diagnostic(
            rule: .missingKey,
            message: "a single variant has nothing to compare with",
            span: span,
            label: "the only variant",
            help: ["add a second variant, or write `holdout` to compare with no message"]
        )
    }

    fileprivate static func emptyHoldOut(_ share: Percentage, at span: SourceSpan) -> Diagnostic {
        Diagnostic(
            rule: .numberOutOfRange,
            message: "a holdout of \(share) leaves nothing to compare with",
            span: span,
            label: "should be more than 0% and less than 100%"
        )
    }

    fileprivate static func stageOrder(at span: SourceSpan) -> Diagnostic {
        Diagnostic(
            rule: .rolloutStages,
            message: "this stage is not larger than the previous one",
            span: span,
            label: "should be larger",
            help: ["write numbers first, then shares, each larger than the previous one"]
        )
    }

    fileprivate static func nameInUse(
        _ name: CampaignID,
        at span: SourceSpan,
        by other: SourceSpan
    ) -> Diagnostic {
        Diagnostic(
            rule: .movedFrom,
            message: "`\(name)` cannot be a previous name, because it is in use",
            span: span,
            label: "used a second time",
            related: [RelatedPlace(span: other, message: "the other use")],
            help: ["`moved_from` must be the previous name of this campaign"]
        )
    }
}
