/// A place in a message that determines how a text there is used.
enum ContentPlace {
    case message
    case android
    case apple
    case applePayload
    case aps
    case web
    /// A notification or an alert, and the content of FCM fields in it.
    case notification
    /// Names that the author chose, and the values under them.
    case data
    /// Delivery settings and the target; data in it is not delivered.
    case other
    case dataOfOther

    /// Whether the author chose the names on the path.
    var isData: Bool { self == .data || self == .dataOfOther }

    /// Whether it reaches apps and people.
    var isSent: Bool {
        switch self {
        case .notification, .data, .applePayload, .aps: true
        case .message, .android, .apple, .web, .other, .dataOfOther: false
        }
    }

    /// Returns the place of the value under a key.
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
