import JSON
package import State

extension CampaignDefinition {
    /// The zone of the recorded schedule, which follows its times; nil if it has none.
    ///
    /// It may not be the name of a zone: a campaign without a schedule is sent "at the next apply".
    package var scheduleZone: String? {
        guard let schedule = content["schedule"]?.stringValue else { return nil }
        let bounds = [", from ", ", until ", ", except "].compactMap {
            schedule.firstRange(of: $0)?.lowerBound
        }
        let times = schedule[..<(bounds.min() ?? schedule.endIndex)]
        return times.split(separator: " ").last.map(String.init)
    }
}
