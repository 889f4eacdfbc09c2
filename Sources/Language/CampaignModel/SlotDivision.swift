package import Time

/// Which recipients of a campaign share an occurrence.
package enum SlotDivision: Hashable, Sendable {
    /// All of them.
    case shared
    /// Those in the same time zone: `timezone: recipient`.
    case perZone
    /// The part of such a campaign for the recipients in one zone.
    case zone(String)

    /// What stands for the zones of recipients in the place of a zone's name.
    package static let recipientZone = "recipient"

    /// The zone of a part; nil for a whole campaign.
    package var zone: String? {
        if case .zone(let name) = self { name } else { nil }
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
        return Campaign(
            id: id,
            about: about,
            owner: owner,
            target: target,
            audience: audience,
            excluded: excluded,
            content: content,
            delivery: delivery.expiring(delivery.expires?.moved(to: rules, named: name)),
            schedule: schedule,
            division: .zone(name),
            timeliness: timeliness.ending(
                timeliness.until.map { rules.resolve(standard.localTime(at: $0)).instant }
            ),
            priority: priority,
            revision: revision,
            formerID: formerID,
            labels: labels,
            variants: variants,
            localizations: localizations,
            coversOtherLocales: coversOtherLocales,
            policy: policy
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
