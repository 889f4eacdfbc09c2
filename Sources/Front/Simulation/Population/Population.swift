package import DeliveryModel

/// The devices over which a plan is simulated: their number, platforms and usage.
package struct Population: Hashable, Sendable {
    /// The connectivity of a share of the devices.
    package enum ConnectivityProfile: String, Hashable, CaseIterable, Sendable {
        /// Always online.
        case always
        /// Online from about 7:00 to about 23:00.
        case daytime
        /// Online for one hour per day, at a different time each day.
        case nowAndThen = "now_and_then"
        /// Never online; the last contact was 45 days ago.
        case never
    }

    /// Number of devices, 1 to 10,000,000.
    package var size: Int
    package var platforms: [DevicePlatform: Share]
    package var habits: [ConnectivityProfile: Share]
    /// Share of Android devices that lie still at night and enter Doze.
    package var dozing: Share
    /// Share of devices whose app is removed at some time in the simulated period.
    package var uninstalling: Share
    /// Subscribers of each topic; the shares of other topics are derived from their reach.
    package var topics: [TopicName: Share]
    /// The number of devices that `size` stands for, at least `size`.
    ///
    /// Sizes of audiences are numbers of these.
    package var represented: Int
    /// The lists that are kept subscribed to a topic; their devices are all in the topic.
    package var members: [TopicName: [DeviceList]] = [:]
    /// The time zones of the devices; the shares add up to 1.
    ///
    /// Empty for UTC.
    package var zones: [Zone] = []
    /// The devices of lists whose time zones are known.
    package var zonedDevices: [ZonedDevices] = []

    /// A time zone.
    package struct Zone: Hashable, Sendable {
        package let name: String
        /// Seconds ahead of UTC for the whole simulation.
        package let offset: Int
        package let share: Share

        package init(name: String, offset: Int, share: Share) {
            self.name = name
            self.offset = offset
            self.share = share
        }
    }

    /// Some devices of a list and their time zone.
    package struct ZonedDevices: Hashable, Sendable {
        let devices: DeviceList
        /// Seconds ahead of UTC.
        let offset: Int
    }

    package init(
        size: Int,
        platforms: [DevicePlatform: Share] = Self.usualPlatforms,
        habits: [ConnectivityProfile: Share] = Self.usualHabits,
        dozing: Share = Share(basisPoints: 4_000),
        uninstalling: Share = Share(basisPoints: 100),
        topics: [TopicName: Share] = [:],
        standingFor represented: Int? = nil
    ) {
        self.size = size
        self.represented = max(size, represented ?? size)
        self.platforms = platforms
        self.habits = habits
        self.dozing = dozing
        self.uninstalling = uninstalling
        self.topics = topics
    }

    package static let sizes = 1...10_000_000
    package static let usualPlatforms: [DevicePlatform: Share] = [
        .android: Share(basisPoints: 7_000), .apple: Share(basisPoints: 2_500),
        .web: Share(basisPoints: 500),
    ]
    package static let usualHabits: [ConnectivityProfile: Share] = [
        .always: Share(basisPoints: 6_000), .daytime: Share(basisPoints: 2_500),
        .nowAndThen: Share(basisPoints: 1_200), .never: Share(basisPoints: 300),
    ]
}

extension Population {
    /// Returns how many devices stand for this number of them: at least one, at most all.
    func devices(for count: Int) -> Int {
        guard count > 0 else { return 0 }
        guard represented > size else { return min(count, size) }
        let scaled = (Double(count) * Double(size) / Double(represented)).rounded()
        return min(max(1, Int(scaled)), size)
    }
}

/// A share of a population.
package struct Share: Hashable, Sendable {
    /// The numerator, 0 to `whole`.
    package let part: Int
    /// The denominator, at least 1.
    package let whole: Int

    package init(_ part: Int, of whole: Int) {
        self.whole = max(1, whole)
        self.part = min(max(0, part), self.whole)
    }

    /// Creates a share in steps of 0.01 percent.
    package init(basisPoints: Int) {
        self.init(basisPoints, of: 10_000)
    }

    /// Returns whether a device with this random number belongs to the share.
    func holds(_ number: UInt64) -> Bool {
        Int(number.multipliedFullWidth(by: UInt64(whole)).high) < part
    }
}
