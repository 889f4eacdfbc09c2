import DeliveryModel
import FCMWire
import JSON
import Testing

/// Compares models that run the same random history of all devices in different ways.
struct RestartAgreementTests {
    /// One model runs undisturbed, one is queried in between, and one is repeatedly restored from a
    /// snapshot during fan-outs.
    @Test(arguments: UInt64(1)...16)
    func `queries and snapshots do not affect the result`(seed: UInt64) throws {
        var random = HistoryRandom(state: seed)
        var now: Int64 = 1_800_000_000_000
        let options = Self.options(&random)
        var alone = ProjectPlay(options, at: now)
        var watched = alone
        var restarted = alone
        for number in 0..<200 {
            let span = Self.span(&random)
            watched.look(at: now + span / 3)
            restarted.look(at: now + span / 2)
            if Int.random(in: 0..<5, using: &random) == 0 { restarted.restart(at: now + span / 2) }
            now += span
            let action = try Self.action(&random)
            for _ in 0..<Self.times(action, &random) {
                try alone.perform(action, at: now)
                try watched.perform(action, at: now)
                try restarted.perform(action, at: now)
            }
            guard number % 8 == 7 else { continue }
            let isSame = restarted.sight(at: now) == watched.sight(at: now)
            try #require(isSame, "event \(number), \(action)")
        }
        let isSame = alone.sight(at: now + 3_000) == watched.sight(at: now + 3_000)
        #expect(isSame)
    }

    private static func options(_ random: inout HistoryRandom) -> DeliveryOptions {
        var options = DeliveryOptions()
        options.fanOutRate = Int.random(in: 1...4, using: &random)
        options.fanOutsAtOnce = Int.random(in: 1...3, using: &random)
        options.excess = .defer
        options.topicPropagation = Bool.random(using: &random) ? 0 : 4_000
        options.backgroundDelay = Bool.random(using: &random) ? 0 : 20_000
        options.lowersPriority = Bool.random(using: &random)
        return options
    }

    /// Returns the number of repetitions; some messages come in bursts above the rates of a device.
    private static func times(_ action: ProjectAction, _ random: inout HistoryRandom) -> Int {
        guard case .send(_, .registration) = action else { return 1 }
        let draw = Int.random(in: 0..<60, using: &random)
        return draw == 0 ? 243 : draw < 3 ? 102 : draw < 8 ? 23 : 1
    }

    private static func span(_ random: inout HistoryRandom) -> Int64 {
        let longest: Int64 =
            [0, 900, 900, 5_000, 5_000, 200_000].randomElement(using: &random) ?? 0
        let isDays = Int.random(in: 0..<50, using: &random) == 0
        return Int64.random(in: 0...(isDays ? 3_000_000_000 : longest), using: &random)
    }

    private static func action(_ random: inout HistoryRandom) throws -> ProjectAction {
        let name = "d\(Int.random(in: 0..<7, using: &random))"
        let platform: DevicePlatform = name < "d4" ? .android : name < "d6" ? .apple : .web
        let device = try registration(name)
        let tides = try topic(Bool.random(using: &random) ? "tides" : "swell")
        switch Int.random(in: 0..<100, using: &random) {
        case 0..<12:
            let specification = DeviceSpecification(
                name: name,
                platform: platform,
                registration: device,
                topics: [tides]
            )
            return .add(specification)
        case 12..<15: return .remove(name)
        case 15..<20: return .subscribe(device, tides)
        case 20..<22: return .unsubscribe(device, tides)
        case 22..<25: return .tap(name)
        case 25..<55: return .change(HistoryChange(platform, &random), name)
        case 55..<75: return .send(HistoryMessage(&random), .registration(device))
        case 75..<80:
            let either = try TopicCondition("'tides' in topics || 'swell' in topics")
            return .send(HistoryMessage(&random), .condition(either))
        default: return .send(HistoryMessage(&random), .topic(tides))
        }
    }
}
