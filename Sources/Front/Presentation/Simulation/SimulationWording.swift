import DeliveryModel
import Simulation

/// Formats durations and shares for people.
enum SimulationWording {
    /// Returns at most two units: `1 s` for less than two seconds, `12 s`, `3 min`, `4 h 30 min`,
    /// `2 days 3 h`.
    static func length(_ milliseconds: Int64) -> String {
        let seconds = milliseconds / 1_000
        let minutes = seconds / 60
        let hours = minutes / 60
        switch seconds {
        case 0: return "1 s"
        case ..<60: return "\(seconds) s"
        case ..<3_600: return two(minutes, unit: "min", and: seconds % 60, unit: "s")
        case ..<86_400: return two(hours, unit: "h", and: minutes % 60, unit: "min")
        default:
            let days = hours / 24
            return two(days, unit: days == 1 ? "day" : "days", and: hours % 24, unit: "h")
        }
    }

    private static func two(
        _ first: Int64,
        unit: String,
        and second: Int64,
        unit lesser: String
    ) -> String {
        second == 0 ? "\(first) \(unit)" : "\(first) \(unit) \(second) \(lesser)"
    }

    /// Returns the messages per device, such as `2.1`.
    static func mean(of result: SimulationResult) -> String {
        let size = result.population.size
        let tenths = size > 0 ? (result.pressure.delivered * 20 + size) / (2 * size) : 0
        return "\(tenths / 10).\(tenths % 10)"
    }

    /// Returns a percentage such as `12.3 %`; a positive share below 0.05 % becomes `<0.1 %`.
    static func share(_ part: Int, of whole: Int) -> String {
        guard whole > 0 else { return "0.0 %" }
        let tenths = (part * 2_000 + whole) / (2 * whole)
        if tenths == 0, part > 0 { return "<0.1 %" }
        return "\(tenths / 10).\(tenths % 10) %"
    }
}

extension MessageOutcome {
    /// The outcome as text for people.
    var meaning: String {
        switch self {
        case .delivered: "delivered"
        case .pending: "still pending at the end"
        case .collapsed: "replaced by a newer message"
        case .droppedTtlExpired: "expired before the device reconnected"
        case .droppedTooManyPendingMessages: "dropped: too many messages were pending"
        case .droppedDeviceInactive: "dropped: the device was inactive for a month"
        case .droppedAppForceStopped: "dropped: the app was force-stopped"
        case .droppedUninstalled: "dropped: the app was uninstalled"
        case .droppedUnregistered: "not sent: the registration was dead"
        case .nothingForPlatform: "no content for the platform"
        }
    }
}
