extension MessageLife {
    /// Derives the lifetime from a message's content, in the platform's notation.
    package init(of content: MessageContent, on platform: DevicePlatform) {
        switch platform {
        case .apple: self = .apple(expiration: content.timeToLive)
        case .android:
            self.init(seconds: content.timeToLive.flatMap { DurationText($0)?.wholeSeconds })
        case .web: self.init(seconds: content.timeToLive.flatMap { Int64($0) })
        }
    }

    private init(seconds: Int64?) {
        let seconds = seconds ?? Self.longestSeconds
        self = seconds == 0 ? .nowOrNever : .seconds(seconds)
    }
}
