package import CampaignModel
import JSON
package import Time

/// The lifetime of a message in a platform's own field.
package enum ExplicitLifetime: Hashable, Sendable {
    /// 0 means now or never.
    case seconds(Int64)
    case until(Instant)
}

extension MessageContent {
    /// Returns nil if the platform's own field is missing or is not a number.
    ///
    /// Android uses `"3.5s"`, of which the whole seconds are returned; Apple platforms use a UNIX
    /// time or 0; the web uses seconds.
    package func statedLife(on platform: Platform) -> ExplicitLifetime? {
        guard let text = value(at: platform.lifePath)?.stringValue else { return nil }
        let digits = platform == .android ? text.split { ".s".contains($0) }.first : text[...]
        guard let number = digits.flatMap({ Int64($0) }) else { return nil }
        return platform == .apple && number != 0
            ? .until(Instant(secondsSince1970: number)) : .seconds(number)
    }
}
