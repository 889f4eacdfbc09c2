import DeliveryModel

/// The whole hours and days of a simulation, by the clock of most of its devices.
struct SimulationClock: Sendable {
    /// The whole hour in which the simulation starts.
    let firstHour: DeliveryMoment
    /// The number of hours that begin before the end, at least 1.
    let hours: Int
    /// The number of days that begin before the end, at least 1.
    let days: Int
    private let midnight: Int64

    private static let hour: Int64 = 3_600_000
    private static let day: Int64 = 24 * hour

    /// `offset`: seconds ahead of UTC.
    init(from start: DeliveryMoment, to end: DeliveryMoment, offset: Int) {
        let ahead = Int64(offset) * 1_000
        func floored(_ moment: DeliveryMoment, to unit: Int64) -> Int64 {
            let local = moment.milliseconds + ahead
            return local - ((local % unit) + unit) % unit - ahead
        }
        let first = floored(start, to: Self.hour)
        firstHour = DeliveryMoment(milliseconds: first)
        hours = max(1, Int((end.milliseconds - first + Self.hour - 1) / Self.hour))
        midnight = floored(start, to: Self.day)
        days = max(1, Int((end.milliseconds - midnight + Self.day - 1) / Self.day))
    }

    func hour(of moment: DeliveryMoment) -> Int {
        min(Int((moment.milliseconds - firstHour.milliseconds) / Self.hour), hours - 1)
    }

    func day(of moment: DeliveryMoment) -> Int {
        min(Int((moment.milliseconds - midnight) / Self.day), days - 1)
    }
}
