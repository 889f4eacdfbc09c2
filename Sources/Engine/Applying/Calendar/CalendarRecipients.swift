import CampaignModel
import JSON
import Planning
import State

/// What the sends of a campaign address, and how many devices that are.
struct CalendarRecipients: Hashable, Sendable {
    let audience: CalendarAudience
    /// Nil if it is not known.
    let devices: Int?

    private init(_ audience: CalendarAudience, devices: Int?) {
        self.audience = audience
        self.devices = devices
    }

    /// Those of a recorded definition; unknown without one.
    init(of definition: CampaignDefinition?, reach: ReachEstimate) {
        let recorded = definition?.content["audience"]
        if let name = recorded?["audience"]?.stringValue {
            self.init(
                CalendarAudience(.audience, named: name),
                devices: definition?.listCount
            )
        } else if let path = recorded?["registrations"]?.stringValue {
            self.init(CalendarAudience(.list, named: path), devices: definition?.listCount)
        } else if let topic = recorded?["topic"]?.stringValue.flatMap({ Topic($0) }) {
            self.init(of: .topic(topic), reach: reach)
        } else if let text = recorded?["condition"]?.stringValue {
            self.init(of: .condition(text), reach: reach)
        } else if let name = recorded?["group"]?.stringValue.flatMap(DeviceGroupName.init) {
            self.init(of: .group(name), reach: reach)
        } else {
            self.init(.unknown, devices: nil)
        }
    }

    /// Those of an occurrence that addresses a part of them, whose number only the rows of its list
    /// show.
    func part(of slot: Slot) -> CalendarRecipients {
        slot.part == nil ? self : CalendarRecipients(audience, devices: nil)
    }

    /// Those of a send that has started, whose definition may have changed since then.
    func started(with unit: WorkUnitRecord, reach: ReachEstimate) -> CalendarRecipients {
        switch unit.target {
        case .registrations:
            let isList = audience.kind == .audience || audience.kind == .list
            return CalendarRecipients(isList ? audience : .unknown, devices: unit.count)
        case .topic, .condition, .group:
            return CalendarRecipients(of: unit.target, reach: reach)
        }
    }

    private init(of target: UnitTarget, reach: ReachEstimate) {
        switch target {
        case .topic(let topic):
            self.init(
                CalendarAudience(.topic, named: topic.name),
                devices: reach.upperBound(of: .topic(topic))
            )
        case .condition(let text):
            let condition = try? Condition(parsing: text)
            self.init(
                CalendarAudience(.condition, named: text),
                devices: condition.flatMap { reach.upperBound(of: .condition($0)) }
            )
        case .group(let name):
            self.init(CalendarAudience(.group, named: name.text), devices: nil)
        case .registrations(let list):
            self.init(CalendarAudience(.list, named: list.text), devices: nil)
        }
    }
}
