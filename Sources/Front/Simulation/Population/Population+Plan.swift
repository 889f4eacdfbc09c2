import CampaignModel
import DeliveryModel
package import Planning
package import Time

extension Population {
    /// The size if no audience of a plan has a known size.
    private static let usualSize = 10_000
    /// The size up to which each device stands for itself.
    private static let largestDefault = 100_000

    /// Creates the population that a plan describes: as large as its largest audience.
    ///
    /// `size`: the number of devices; nil for one per device of the audience, up to 100,000.
    package init(of plan: Plan, size: Int?) {
        let known = plan.largestAudience
        let represented = known ?? size ?? Self.usualSize
        self.init(
            size: size ?? min(max(1, represented), Self.largestDefault),
            standingFor: represented
        )
    }

    /// Sets the time zones: those of lists, which have their own, and the project's for the rest.
    ///
    /// `zones`: the rules of time zones.
    package mutating func adoptZones(of plan: Plan, from rules: TimeZoneDatabase) {
        func offset(_ name: String) -> Int? {
            (try? rules.rules(named: name))?.offset(at: plan.now).seconds
        }
        var counts: [String: Int] = [:]
        for list in plan.zonedLists {
            for zone in list.zones {
                guard let count = zone.count, let seconds = offset(zone.name) else { continue }
                counts[zone.name, default: 0] += count
                let devices = devices(for: zone.before)..<devices(for: zone.before + count)
                zonedDevices.append(
                    ZonedDevices(
                        devices: DeviceList(
                            name: list.name,
                            count: devices.count,
                            first: devices.lowerBound
                        ),
                        offset: seconds
                    )
                )
            }
        }
        guard zones.isEmpty else { return }
        let known = counts.isEmpty ? [plan.timeZone: 1] : counts
        let all = known.values.reduce(0, +)
        zones = known.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.map { name, count in
            Zone(name: name, offset: offset(name) ?? 0, share: Share(count, of: all))
        }
    }

    /// Makes the devices of lists members of the topics that they are kept subscribed to.
    ///
    /// The topic's share is then that of the other devices.
    mutating func adoptMembers(of topic: PlannedTopic, named name: TopicName) {
        let lists = topic.kept.map {
            DeviceList(name: $0.audience.rawValue, count: devices(for: $0.count))
        }
        guard !lists.isEmpty else { return }
        members[name] = lists
        let kept = min(topic.keptCount ?? 0, represented)
        guard let reach = topic.size else { return }
        topics[name] = Share(max(0, reach - kept), of: max(1, represented - kept))
    }
}

/// A list whose recipients' time zones are known.
private struct ZonedList {
    let name: String
    let zones: [PlannedZone]
}

extension Plan {
    /// The number of devices in the largest audience whose size is known; nil if none is.
    fileprivate var largestAudience: Int? {
        let topics = campaigns.flatMap(\.timedParts).flatMap(\.campaign.target.topics)
            .compactMap { self.topics[$0] }
            .compactMap { $0.size ?? $0.keptCount }
        let lists = campaigns.compactMap { action -> Int? in
            if case .list(_, let count, _)? = action.audience { count } else { nil }
        }
        return (topics + lists).max().flatMap { $0 > 0 ? $0 : nil }
    }

    /// By the names of the lists; each list once.
    fileprivate var zonedLists: [ZonedList] {
        var lists: [ZonedList] = []
        for action in campaigns {
            guard case .list(let name, _, _)? = action.audience else { continue }
            let label = name ?? action.campaign.rawValue
            let own = action.timedParts.compactMap(\.zone)
            guard !own.isEmpty else { continue }
            if let place = lists.firstIndex(where: { $0.name == label }) {
                let known = Set(lists[place].zones.map(\.name))
                let more = own.filter { !known.contains($0.name) }
                lists[place] = ZonedList(name: label, zones: lists[place].zones + more)
            } else {
                lists.append(ZonedList(name: label, zones: own))
            }
        }
        return lists
    }
}
