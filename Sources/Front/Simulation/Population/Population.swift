package import DeliveryModel

/// The people that a plan is played over: how many, with which devices, and how they use them.
package struct Population: Hashable, Sendable {
    /// How the devices of a share of the population are connected.
    package enum Habit: String, Hashable, CaseIterable, Sendable {
        /// Connected all the time.
        case always
        /// From about seven in the morning to about eleven at night.
        case daytime
        /// An hour a day, each day another.
        case nowAndThen = "now_and_then"
        /// Not once; the last time was 45 days ago.
        case never
    }

    /// 1 to 10,000,000.
    package var size: Int
    package var platforms: [DevicePlatform: Share]
    package var habits: [Habit: Share]
    /// Of Android devices: they lie still at night, and doze.
    package var dozing: Share
    /// Whose app is removed at some time in the days that are played.
    package var uninstalling: Share
    /// Who is subscribed to a topic; the others' share follows from their reach.
    package var topics: [TopicName: Share]

    package init(
        size: Int,
        platforms: [DevicePlatform: Share] = Self.usualPlatforms,
        habits: [Habit: Share] = Self.usualHabits,
        dozing: Share = Share(basisPoints: 4_000),
        uninstalling: Share = Share(basisPoints: 100),
        topics: [TopicName: Share] = [:]
    ) {
        self.size = size
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
    package static let usualHabits: [Habit: Share] = [
        .always: Share(basisPoints: 6_000), .daytime: Share(basisPoints: 2_500),
        .nowAndThen: Share(basisPoints: 1_200), .never: Share(basisPoints: 300),
    ]
}

/// A share of a population.
package struct Share: Hashable, Sendable {
    /// So many in `whole`, 0 to `whole`.
    package let part: Int
    /// At least 1.
    package let whole: Int

    package init(_ part: Int, of whole: Int) {
        self.whole = max(1, whole)
        self.part = min(max(0, part), self.whole)
    }

    /// In steps of a hundredth of a percent.
    package init(basisPoints: Int) {
        self.init(basisPoints, of: 10_000)
    }

    /// Whether somebody with this number belongs to it.
    func holds(_ number: UInt64) -> Bool {
        Int(number.multipliedFullWidth(by: UInt64(whole)).high) < part
    }
}
