/// Where in a message something stands, as far as it tells what becomes of a text there.
enum ContentPlace {
    case message
    case android
    case apple
    case applePayload
    case aps
    case web
    /// A notification or an alert, and whatever FCM's fields hold in it.
    case notification
    /// Names that the author chose, and what stands under them.
    case data
    /// How the message is delivered, and to whom; data in it is nobody's.
    case other
    case dataOfOther

    /// The author chose the names along the way.
    var isData: Bool { self == .data || self == .dataOfOther }

    /// It reaches apps and people.
    var isSent: Bool {
        switch self {
        case .notification, .data, .applePayload, .aps: true
        default: false
        }
    }

    /// The place of what stands under a key.
    func inside(_ key: String) -> ContentPlace {
        switch self {
        case .message: Self.inMessage(key)
        case .android, .web: Self.inBlock(key)
        case .apple: key == "payload" ? .applePayload : Self.elsewhere(key)
        case .applePayload: key == "aps" ? .aps : .data
        case .aps, .notification: key == "data" ? .data : .notification
        case .data, .dataOfOther: self
        case .other: Self.elsewhere(key)
        }
    }

    private static func inMessage(_ key: String) -> ContentPlace {
        switch key {
        case "android": .android
        case "apns": .apple
        case "webpush": .web
        default: inBlock(key)
        }
    }

    private static func inBlock(_ key: String) -> ContentPlace {
        switch key {
        case "notification": .notification
        case "data": .data
        default: .other
        }
    }

    private static func elsewhere(_ key: String) -> ContentPlace {
        key == "data" ? .dataOfOther : .other
    }
}
