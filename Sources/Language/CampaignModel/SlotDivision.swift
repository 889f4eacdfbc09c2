package import Time

/// Which recipients of a campaign share an occurrence.
package enum SlotDivision: Hashable, Sendable {
    /// All of them.
    case shared
    /// Those in the same time zone: `timezone: recipient`.
    case perZone
    /// Those with the same time in a column of the list: `at_column`.
    ///
    /// `zone`: that of local times in rows without a zone.
    case perValue(column: String, zone: String)
    /// The part of a campaign for the recipients in one zone.
    case zone(String)
    /// The part of a campaign for the recipients with one time.
    case value(Slot)

    /// The value of `timezone` that means the zones of the recipients.
    package static let recipientZone = "recipient"

    /// What distinguishes a part from the others; nil for a whole campaign.
    package var part: String? {
        switch self {
        case .shared, .perZone, .perValue: nil
        case .zone(let name): name
        case .value(let slot): slot.text
        }
    }

    /// Whether the campaign consists of parts.
    package var isDivided: Bool {
        switch self {
        case .perZone, .perValue: true
        case .shared, .zone, .value: false
        }
    }

    /// The column of the recipients' times; nil if they do not have their own.
    package var column: String? {
        if case .perValue(let column, _) = self { column } else { nil }
    }
}

/// The time at which a recipient gets a message, as a row contains it.
package enum RecipientTime: Hashable, Sendable {
    /// `YYYY-MM-DD HH:MM`, in the zone of the row.
    case local(CivilDateTime)
    /// RFC 3339 with an offset.
    case instant(Instant)

    /// Nil if the text is neither.
    package init?(parsing text: some StringProtocol) {
        let bytes = Array(text.utf8)
        if bytes.count == 16, bytes[10] == UInt8(ascii: " "),
            let local = CivilDateTime(parsing: String(text))
        {
            self = .local(local)
        } else if let instant = Instant(rfc3339: String(text)) {
            self = .instant(instant)
        } else {
            return nil
        }
    }
}

extension Campaign {
    /// Returns the part of a campaign for the recipients in one time zone, whose local times are in
    /// that zone.
    ///
    /// - Parameters:
    ///   - name: The name of the zone in the slots.
    ///   - rules: The rules of the zone.
    ///   - standard: The rules of the zone of recipients without one.
    /// - Returns: The part.
    package func part(
        in name: String,
        rules: TimeZoneRules,
        standard: TimeZoneRules
    ) -> Campaign {
        let schedule: Schedule =
            switch schedule {
            case .immediate: .immediate
            case .at(let moment): .at(moment.moved(to: rules, named: name))
            case .repeating(let rule): .repeating(rule.moved(toZone: name))
            }
        return part(
            .zone(name),
            schedule: schedule,
            expires: delivery.expires?.moved(to: rules, named: name),
            until: timeliness.until.map { rules.resolve(standard.localTime(at: $0)).instant }
        )
    }

    /// Returns the part of a campaign for the recipients with one time.
    ///
    /// - Parameters:
    ///   - slot: The slot of the time.
    ///   - name: The name of its zone.
    ///   - rules: The rules of the zone.
    /// - Returns: Nil if the slot is not that of a time.
    package func part(at slot: Slot, in name: String, rules: TimeZoneRules) -> Campaign? {
        let moment: ScheduledMoment
        switch RecipientTime(parsing: slot.withoutZone.text) {
        case .local(let local)?:
            let instant = rules.resolve(local).instant
            moment = ScheduledMoment(local: local, zone: name, instant: instant)
        case .instant(let instant)?:
            let local = rules.localTime(at: instant)
            moment = ScheduledMoment(local: local, zone: name, instant: instant)
        case nil: return nil
        }
        return part(
            .value(slot),
            schedule: .at(moment),
            expires: delivery.expires,
            until: timeliness.until
        )
    }

    private func part(
        _ division: SlotDivision,
        schedule: Schedule,
        expires: ScheduledMoment?,
        until: Instant?
    ) -> Campaign {
        Campaign(
            id: id,
            about: about,
            owner: owner,
            target: target,
            audience: audience,
            excluded: excluded,
            content: content,
            delivery: delivery.expiring(expires),
            schedule: schedule,
            division: division,
            timeliness: timeliness.ending(until),
            priority: priority,
            revision: revision,
            formerID: formerID,
            labels: labels,
            experiment: experiment,
            variants: variants,
            localizations: localizations,
            coversOtherLocales: coversOtherLocales,
            policy: policy,
            encryption: encryption
        )
    }
}

extension ScheduledMoment {
    /// The same local time in another zone.
    fileprivate func moved(to rules: TimeZoneRules, named zone: String) -> ScheduledMoment {
        ScheduledMoment(local: local, zone: zone, instant: rules.resolve(local).instant)
    }
}

extension RepeatingSchedule {
    fileprivate func moved(toZone zone: String) -> RepeatingSchedule {
        RepeatingSchedule(text: text, pattern: pattern, zone: zone, from: from, until: until)
    }
}

extension Delivery {
    fileprivate func expiring(_ expires: ScheduledMoment?) -> Delivery {
        Delivery(
            timeToLive: timeToLive,
            expires: expires,
            priority: priority,
            collapse: collapse
        )
    }
}

extension LatePolicy {
    fileprivate func ending(_ until: Instant?) -> LatePolicy {
        LatePolicy(
            late: late,
            lateAfter: lateAfter,
            until: until,
            reasonInQuietHours: reasonInQuietHours,
            jitter: jitter
        )
    }
}
