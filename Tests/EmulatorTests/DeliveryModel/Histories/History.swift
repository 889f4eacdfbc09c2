@testable import DeliveryModel

/// A message of a history; it has few variants, so that messages often interact.
struct HistoryMessage: Hashable {
    var shows: Bool
    var urgent: Bool
    /// The collapse key, or nil for none.
    var collapseKey: String?
    var trayTag: String?
    /// The TTL in seconds, or nil for none; 0 means now or never.
    var seconds: Int64?
    var isPing = false
    var isForOthers = false

    /// Returns the lifetime in seconds.
    func life(on platform: DevicePlatform) -> Int64 {
        seconds ?? (platform == .apple ? 30 : 28) * 86_400
    }

    func key(on platform: DevicePlatform) -> String? {
        if platform == .android, shows || isPing { return "org.tidewatch" }
        return collapseKey
    }

    func tag(on platform: DevicePlatform) -> String? {
        platform == .apple ? collapseKey : trayTag
    }

    /// Returns the message in the machine's form.
    func content(on platform: DevicePlatform) -> MessageContent {
        var content = MessageContent()
        content.hasNotification = shows
        content.priority = urgent ? "HIGH" : nil
        content.collapseKey = platform == .android && shows ? nil : collapseKey
        content.collapsesByPackage = platform == .android && shows
        content.tag = trayTag
        content.isEmpty = isPing || isForOthers
        content.life = seconds == 0 ? .nowOrNever : .seconds(life(on: platform))
        return content
    }
}

enum HistoryChange: Hashable {
    case online(Bool)
    case front(Bool)
    case installed(Bool)
    case doze(Bool)
    case stopped(Bool)
    case userStopped(Bool)
    /// The last contact, in milliseconds before now.
    case seen(Int64)

    func change(at now: Int64) -> DeviceChange {
        switch self {
        case .online(let value): DeviceChange(isOnline: value)
        case .front(let value): DeviceChange(isInForeground: value)
        case .installed(let value): DeviceChange(isInstalled: value)
        case .doze(let value): DeviceChange(isDozing: value)
        case .stopped(let value): DeviceChange(isForceStopped: value)
        case .userStopped(let value): DeviceChange(isUserStopped: value)
        case .seen(let ago):
            DeviceChange(lastSeen: DeliveryMoment(milliseconds: now - ago))
        }
    }
}

enum HistoryAction: Hashable {
    /// Several equal messages at once.
    case arrive(HistoryMessage, Int)
    case change(HistoryChange)
    case register
    /// A tap on a notification, whose position is counted from the end of the tray.
    case tap(Int)
    case look
}

struct HistoryStep: Hashable {
    /// Milliseconds after the previous step.
    let after: Int64
    let action: HistoryAction
}

struct History {
    var platform: DevicePlatform
    var options = DeliveryOptions()
    var steps: [HistoryStep]
}

/// Returns the delay of a message as the machine draws it.
func history(drawOf id: String, _ options: DeliveryOptions, salt: UInt64) -> Int64 {
    let bits = (options.seed ^ salt ^ id.stableHash).scattered
    return Int64(bits % UInt64(options.backgroundDelay + 1))
}

/// SplitMix64 (Steele, Lea and Flood).
struct HistoryRandom: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var bits = state
        bits = (bits ^ bits >> 30) &* 0xBF58_476D_1CE4_E5B9
        bits = (bits ^ bits >> 27) &* 0x94D0_49BB_1331_11EB
        return bits ^ bits >> 31
    }
}

extension History {
    /// Generates a history of 200 events.
    init(seed: UInt64) {
        var random = HistoryRandom(state: seed)
        let draw = Int.random(in: 0..<10, using: &random)
        platform = draw < 7 ? .android : draw == 7 ? .web : .apple
        if Int.random(in: 0..<4, using: &random) == 0 {
            options.backgroundDelay = Int64.random(in: 1...600_000, using: &random)
            options.seed = random.next()
        }
        options.lowersPriority = Int.random(in: 0..<3, using: &random) == 0
        options.throttlesDevices = Int.random(in: 0..<5, using: &random) > 0
        // Some histories span seconds, and some span days.
        let pace = Int.random(in: 0..<4, using: &random)
        steps = []
        for _ in 0..<200 { steps.append(HistoryStep(pace: pace, platform, &random)) }
    }
}

extension HistoryStep {
    init(pace: Int, _ platform: DevicePlatform, _ random: inout HistoryRandom) {
        let spans: [Range<Int64>] = [
            0..<1, 0..<2_000, 0..<60_000, 0..<400_000, 0..<86_400_000, 0..<2_500_000_000,
            0..<26_000_000_000,
        ]
        let dice = Int.random(in: 0..<100, using: &random)
        let rare = dice < 1 ? 6 : dice < 3 ? 5 : dice < 8 ? 4 : 0
        let place = rare > 0 ? rare : Int.random(in: 0...(pace % 4), using: &random)
        after = Int64.random(in: spans[place], using: &random)
        action = HistoryAction(platform, &random)
    }
}

extension HistoryAction {
    init(_ platform: DevicePlatform, _ random: inout HistoryRandom) {
        switch Int.random(in: 0..<100, using: &random) {
        case 0..<52:
            let burst = Int.random(in: 0..<400, using: &random)
            let count = burst == 0 ? 245 : burst < 3 ? 101 : burst < 9 ? 22 : 1
            self = .arrive(HistoryMessage(&random), count)
        case 52..<86: self = .change(HistoryChange(platform, &random))
        case 86..<89: self = .register
        case 89..<95: self = .tap(Int.random(in: 0..<3, using: &random))
        default: self = .look
        }
    }
}

extension HistoryMessage {
    init(_ random: inout HistoryRandom) {
        let keys: [String?] = [nil, nil, nil, "a", "b", "c", "d", "e", "f"]
        let lives: [Int64?] = [nil, nil, nil, 0, 1, 30, 3_600, 2_419_200]
        shows = Int.random(in: 0..<3, using: &random) == 0
        urgent = Bool.random(using: &random)
        collapseKey = keys[Int.random(in: 0..<keys.count, using: &random)]
        trayTag = ["t", "u", nil][Int.random(in: 0..<3, using: &random)]
        seconds = lives[Int.random(in: 0..<lives.count, using: &random)]
        isForOthers = Int.random(in: 0..<30, using: &random) == 0
        isPing = !shows && collapseKey == nil && Int.random(in: 0..<8, using: &random) == 0
    }
}

extension HistoryChange {
    init(_ platform: DevicePlatform, _ random: inout HistoryRandom) {
        let value = Bool.random(using: &random)
        switch Int.random(in: 0..<(platform == .android ? 14 : 7), using: &random) {
        case 0..<3: self = .online(value)
        case 3..<5: self = .front(value)
        case 5: self = .installed(value || Bool.random(using: &random))
        case 6:
            self = .seen(Int64.random(in: 0..<26_000_000_000, using: &random))
        case 7..<11: self = .doze(value)
        case 11: self = .stopped(value)
        default: self = .userStopped(value && Bool.random(using: &random))
        }
    }
}
