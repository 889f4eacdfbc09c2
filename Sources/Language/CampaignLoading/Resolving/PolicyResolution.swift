import CampaignModel
import Diagnostics
import JSON

/// A campaign's own message, how it is encrypted, and what a recall says without a message of the campaign.
struct ResolvedText {
    let message: MessageDeclaration
    /// Nil if it is sent in the clear.
    let encryption: MessageEncryption?
    /// The project's.
    let recall: RecallMessage?
}

extension CampaignDeclaration {
    /// Returns the model of a campaign; omitted parts were reported.
    func campaign(
        _ id: CampaignID,
        target: AudienceTarget,
        text: ResolvedText,
        timing: ResolvedTiming
    ) -> Campaign {
        Campaign(
            id: id,
            about: about?.value,
            owner: owner?.value,
            target: target,
            audience: audience?.value.name,
            excluded: exclude?.value.map(\.value) ?? [],
            content: MessageContent(fields: text.message.fields),
            delivery: delivery?.value.resolved(timing.expires) ?? .unspecified,
            schedule: timing.schedule,
            division: timing.division,
            timeliness: timing.timeliness,
            priority: priority.map { Int($0.value) } ?? 0,
            revision: revision.map { Int($0.value) } ?? 1,
            formerID: formerID?.value,
            labels: resolvedLabels,
            experiment: experiment?.value,
            variants: resolvedVariants,
            localizations: resolvedLocales,
            coversOtherLocales: locales?.value.contains { $0.name.value == .others } ?? false,
            policy: policy(recall: text.recall),
            encryption: text.encryption
        )
    }

    var resolvedLabels: [String: String] {
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

    /// `recall`: the project's.
    private func policy(recall projectRecall: RecallMessage?) -> SendingPolicy {
        SendingPolicy(
            onUnknown: onUnknown?.value,
            rollout: rollout?.value.resolved,
            acknowledgement: acknowledge?.value.resolved,
            holdOut: holdOut?.value,
            record: record?.value ?? .counts,
            reasonAboveCap: cap == nil ? nil : reason?.value,
            objective: objective?.value,
            recall: recall?.value.resolved ?? projectRecall
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
        checkExperiment(of: campaign, target: target)
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
        checkRollout(of: campaign)
    }

    /// An experiment compares people, so that each must be known by a row of a list.
    private mutating func checkExperiment(of campaign: CampaignDeclaration, target: AudienceTarget?)
    {
        if let name = campaign.experiment {
            if campaign.variants == nil, campaign.holdOut == nil {
                log.report(.nothingCompared(at: name.span))
            }
            if name.value.rawValue == ExperimentDesign.globalName {
                log.report(.reservedExperiment(at: name.span))
            }
        }
        if let variants = campaign.variants {
            if variants.value.allSatisfy({ $0.content?.weight?.value == 0 }) {
                log.report(.noWeight(at: variants.span))
            }
            if let locales = campaign.locales {
                log.report(.variantsOfLocales(at: variants.span, and: locales.span))
            }
        }
        if let share = declarations.project?.globalHoldOut, let target, !target.isList,
            !isTest(campaign.audience?.value), let span = campaign.campaign?.span
        {
            log.report(.heldOutSubscribers(share.value, at: span, from: share.span))
        }
    }

    /// Campaigns of one experiment divide people alike, so that no one is in two of its arms.
    mutating func checkExperiments() {
        if let share = declarations.project?.globalHoldOut,
            [0, 10_000].contains(share.value.basisPoints)
        {
            log.report(.emptyHoldOut(share.value, at: share.span))
        }
        var first: [CampaignID: CampaignDeclaration] = [:]
        // Copies no other declarations, because they are large.
        let divided = declarations.campaigns.filter {
            $0.value.variants != nil || $0.value.holdOut != nil
        }
        for campaign in divided.map(\.value) {
            guard let name = campaign.experiment ?? campaign.campaign else { continue }
            guard let other = first[name.value] else {
                first[name.value] = campaign
                continue
            }
            if !campaign.dividesPeople(like: other), let place = other.experiment ?? other.campaign
            {
                log.report(.otherDivision(name.value, at: name.span, than: place.span))
            }
        }
    }

    /// Whether an audience has only your own people.
    private func isTest(_ audience: AudienceReference?) -> Bool {
        switch audience {
        case .named(let id)?:
            declarations.audiences.first { $0.value.audience?.value == id }?.value.test?.value
                ?? false
        case .topic(let topic)?:
            declarations.project?.topics?.value.first { $0.name.value == topic.value }?
                .content?.test?.value ?? false
        case .condition?, .registrations?, .group?, nil: false
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
    /// Whether two campaigns of one experiment assign each person to the same arm.
    fileprivate func dividesPeople(like other: CampaignDeclaration) -> Bool {
        func weights(_ campaign: CampaignDeclaration) -> [String] {
            (campaign.variants?.value ?? []).compactMap { entry in
                let weight = entry.content?.weight?.value ?? 0
                return weight == 0 ? nil : "\(entry.name.value) \(weight)"
            }
        }
        return holdOut?.value == other.holdOut?.value && weights(self) == weights(other)
    }

    fileprivate var keysOfLists: [(key: String, span: SourceSpan)] {
        let places = [
            ("variants", variants?.span), ("holdout", holdOut?.span), ("locales", locales?.span),
            ("rollout", rollout?.span), ("exclude", exclude?.span), ("encrypt", encrypt?.span),
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

extension Diagnostic {
    fileprivate static func needsList(_ key: String, at span: SourceSpan) -> Diagnostic {
        Diagnostic(
            rule: .needsList,
            message: "`\(key)` needs a list of registrations",
            span: span,
            label: "this audience gets one request for all devices",
            help: ["address a list, or remove `\(key)`"]
                + (["variants", "holdout"].contains(key)
                    ? [
                        "FCM sends one message to all subscribers, so they cannot be divided into arms"
                    ]
                    : [])
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

    fileprivate static func nothingCompared(at span: SourceSpan) -> Diagnostic {
        Diagnostic(
            rule: .missingKey,
            message: "an experiment compares nothing without `variants` and `holdout`",
            span: span,
            label: "names an experiment",
            help: ["add `variants` or `holdout`, or remove `experiment`"]
        )
    }

    fileprivate static func reservedExperiment(at span: SourceSpan) -> Diagnostic {
        Diagnostic(
            rule: .invalidName,
            message: "`\(ExperimentDesign.globalName)` is the name of the project's hold-out",
            span: span,
            label: "reserved",
            help: ["use another name"]
        )
    }

    fileprivate static func otherDivision(
        _ name: CampaignID,
        at span: SourceSpan,
        than other: SourceSpan
    ) -> Diagnostic {
        Diagnostic(
            rule: .conflictingKeys,
            message: "two campaigns of the experiment `\(name)` divide people in different ways",
            span: span,
            label: "has other variants, weights or another `holdout`",
            related: [RelatedPlace(span: other, message: "the other campaign")],
            help: ["write the same ones, or another `experiment`"]
        )
    }

    fileprivate static func noWeight(at span: SourceSpan) -> Diagnostic {
        Diagnostic(
            rule: .numberOutOfRange,
            message: "all variants have weight 0",
            span: span,
            label: "no one would get a message",
            help: ["give at least one variant a weight"]
        )
    }

    fileprivate static func variantsOfLocales(
        at span: SourceSpan,
        and locales: SourceSpan
    ) -> Diagnostic {
        Diagnostic(
            rule: .conflictingKeys,
            message: "a campaign cannot have both `variants` and `locales`",
            span: span,
            label: "it would be unclear which text replaces which",
            related: [RelatedPlace(span: locales, message: "texts by locale")],
            help: [
                "write one campaign for each locale, with its own list and the same `experiment`, so that "
                    + "people keep their variant",
                "or keep `variants`, and take the translated text from columns of the list: `{{COLUMN}}`",
            ]
        )
    }

    fileprivate static func heldOutSubscribers(
        _ share: Percentage,
        at span: SourceSpan,
        from project: SourceSpan
    ) -> Diagnostic {
        Diagnostic(
            rule: .needsList,
            message: "with `global_holdout`, a campaign needs a list of registrations",
            span: span,
            label: "reaches all subscribers, also the \(share) of people that are held out",
            related: [RelatedPlace(span: project, message: "the project's hold-out")],
            help: ["address a list, or an audience with `test: true`"]
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
