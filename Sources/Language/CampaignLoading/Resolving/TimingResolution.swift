import CampaignModel
import Diagnostics
import Scheduling
import Time

/// When a campaign is sent, and when its message expires.
struct ResolvedTiming {
    let schedule: Schedule
    let division: SlotDivision
    let timeliness: LatePolicy
    let expires: ScheduledMoment?
}

/// Converts local times to instants in the campaign's zone; with `timezone: recipient`, in the
/// project's, which is that of recipients without a zone.
struct TimingResolution {
    var zones: KnownZones
    let projectZone: String
    private(set) var log = DiagnosticLog()
    /// The zone that the system does not know, and the reason.
    private(set) var unknownZone: (zone: Spanned<String>, error: TimeZoneError)?

    /// Returns nil if a part could not be read, which is reported.
    mutating func resolve(_ campaign: CampaignDeclaration) -> ResolvedTiming? {
        let declared = campaign.schedule?.value
        let expires = campaign.delivery?.value.expires
        // These need no zone and only their own keys, so an error elsewhere does not hide them.
        if let declared { checkBounds(of: declared) }
        if let declared, let expires { check(expires, in: declared) }
        let rules = rules(in: declared?.isPerZone == true ? nil : declared?.timezone)
        guard let rules, declared?.isWhole != false else {
            if let declared { _ = pattern(declared) }
            return nil
        }
        let isPerValue = declared?.atColumn != nil
        let schedule =
            declared.flatMap { isPerValue ? nil : self.schedule($0, rules: rules) }
            ?? (declared == nil || isPerValue ? .immediate : nil)
        guard let schedule else { return nil }
        return ResolvedTiming(
            schedule: schedule,
            division: declared?.division(standard: rules.name) ?? .shared,
            timeliness: declared.map { timeliness($0, rules: rules) } ?? .standard,
            expires: expires.map { $0.value.moment(in: rules) }
        )
    }

    private mutating func rules(in zone: Spanned<String>?) -> TimeZoneRules? {
        guard let zone else { return try? zones.rules(named: projectZone) }
        do {
            return try zones.rules(named: zone.value)
        } catch {
            unknownZone = (zone, error)
            return nil
        }
    }

    private mutating func schedule(
        _ declared: ScheduleDeclaration,
        rules: TimeZoneRules
    ) -> Schedule? {
        if let at = declared.at { return .at(at.value.moment(in: rules)) }
        guard let (text, pattern) = pattern(declared) else { return nil }
        let repeating = RepeatingSchedule(
            text: text.value,
            pattern: pattern,
            zone: rules.name,
            from: declared.from?.value,
            until: declared.until?.value
        )
        if !declared.endsBeforeBeginning, repeating.isEmpty(in: rules) {
            log.report(.noSlot(at: text.span))
        }
        return .repeating(repeating)
    }

    private mutating func pattern(
        _ declared: ScheduleDeclaration
    ) -> (Spanned<String>, SlotPattern)? {
        if let cron = declared.cron {
            return (Spanned(cron.value.text, at: cron.span), .cron(cron.value.schedule))
        }
        guard let rule = declared.rrule, let from = declared.from else { return nil }
        let exceptions = Set(declared.except?.value.map(\.value) ?? [])
        do {
            let parsed = try RecurrenceRule(
                parsing: rule.value.text,
                start: from.value,
                exceptions: exceptions
            )
            return (Spanned(rule.value.text, at: rule.span), .recurrence(parsed))
        } catch {
            let errors = RecurrenceRule.errors(parsing: rule.value.text)
            for error in errors.isEmpty ? [error] : errors {
                let span = rule.value.place(error.range)
                log.report(.scheduleSyntax(error.message, help: error.help, at: span))
            }
            return nil
        }
    }

    private func timeliness(_ declared: ScheduleDeclaration, rules: TimeZoneRules) -> LatePolicy {
        LatePolicy(
            late: declared.late?.value,
            lateAfter: declared.lateAfter?.value ?? ScheduledMoment.lateAfter,
            until: declared.until.map { rules.resolve($0.value).instant },
            reasonInQuietHours: declared.inQuietHours == nil ? nil : declared.reason?.value,
            jitter: declared.jitter?.value ?? 0
        )
    }
}

// MARK: - Keys that need each other

extension TimingResolution {
    private mutating func checkBounds(of declared: ScheduleDeclaration) {
        guard let until = declared.until else { return }
        if let at = declared.at, until.value < at.value {
            log.report(.endBeforeBeginning(until.span, start: at.span))
        } else if let from = declared.from, declared.endsBeforeBeginning {
            log.report(.endBeforeBeginning(until.span, start: from.span))
        }
    }

    private mutating func check(_ expires: Spanned<CivilDateTime>, in declared: ScheduleDeclaration)
    {
        if let at = declared.at, expires.value <= at.value {
            log.report(.endBeforeBeginning(expires.span, start: at.span))
        }
        let several = declared.cron?.span ?? declared.rrule?.span ?? declared.atColumn?.span
        if declared.at == nil, let rule = several {
            log.report(.expiryOfRule(at: expires.span, rule: rule))
        }
    }
}

extension ScheduleDeclaration {
    /// `standard`: the zone of local times in rows without a zone.
    fileprivate func division(standard: String) -> SlotDivision {
        if let atColumn { return .perValue(column: atColumn.value, zone: standard) }
        return isPerZone ? .perZone : .shared
    }

    fileprivate var endsBeforeBeginning: Bool {
        guard let from, let until else { return false }
        return until.value < from.value
    }
}

extension CivilDateTime {
    fileprivate func moment(in rules: TimeZoneRules) -> ScheduledMoment {
        ScheduledMoment(local: self, zone: rules.name, instant: rules.resolve(self).instant)
    }
}

extension RepeatingSchedule {
    /// Whether the rule has no local time between the bounds.
    fileprivate func isEmpty(in rules: TimeZoneRules) -> Bool {
        let beginning = from.map { rules.resolve($0).instant.advanced(bySeconds: -1) }
        let first = Occurrences(pattern, in: rules)
            .next(after: beginning ?? Instant(secondsSince1970: 0), count: 1).first
        guard let first else { return true }
        return until.map { first.slot > $0 } ?? false
    }
}

extension Diagnostic {
    fileprivate static func endBeforeBeginning(_ end: SourceSpan, start: SourceSpan) -> Diagnostic {
        Diagnostic(
            rule: .scheduleBounds,
            message: "the end is before the start",
            span: end,
            label: "the end",
            related: [RelatedPlace(span: start, message: "the start")],
            help: ["write a later time, or remove it"]
        )
    }

    fileprivate static func noSlot(at span: SourceSpan) -> Diagnostic {
        Diagnostic(
            rule: .scheduleBounds,
            message: "the rule has no time between `from` and `until`",
            span: span,
            label: "never sent",
            help: ["run `herald explain` to see the times of the rule"]
        )
    }

    fileprivate static func expiryOfRule(at span: SourceSpan, rule: SourceSpan) -> Diagnostic {
        Diagnostic(
            rule: .conflictingKeys,
            message: "one expiry time cannot serve several sends",
            span: span,
            label: "one time",
            related: [RelatedPlace(span: rule, message: "several sends")],
            help: ["write `ttl` instead"]
        )
    }
}
