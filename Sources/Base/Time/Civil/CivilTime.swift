import Text

/// A local time of day, 00:00:00 to 23:59:59, without a time zone.
package struct CivilTime: Hashable, Sendable {
    package let hour: Int
    package let minute: Int
    package let second: Int

    /// nil outside 00:00:00 to 23:59:59; there are no leap seconds.
    package init?(hour: Int, minute: Int, second: Int = 0) {
        guard (0...23).contains(hour), (0...59).contains(minute), (0...59).contains(second) else {
            return nil
        }
        self.hour = hour
        self.minute = minute
        self.second = second
    }

    package static let midnight = CivilTime(secondsSinceMidnight: 0)

    /// `seconds` must be in 0..<86400.
    package init(secondsSinceMidnight seconds: Int) {
        hour = seconds / 3600
        minute = seconds / 60 % 60
        second = seconds % 60
    }

    package var secondsSinceMidnight: Int { hour * 3600 + minute * 60 + second }
}

extension CivilTime: Comparable {
    package static func < (left: CivilTime, right: CivilTime) -> Bool {
        left.secondsSinceMidnight < right.secondsSinceMidnight
    }
}

extension CivilTime: CustomStringConvertible {
    /// Formatted like `07:30`; seconds appear only if they are not zero.
    package var description: String {
        let minutes = "\(padded(hour, to: 2)):\(padded(minute, to: 2))"
        return second == 0 ? minutes : "\(minutes):\(padded(second, to: 2))"
    }
}
