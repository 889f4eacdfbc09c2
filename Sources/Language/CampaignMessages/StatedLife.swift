package import CampaignModel
import JSON
package import Time

/// How long a message lives by a platform's own field.
package enum StatedLife: Hashable, Sendable {
    /// 0 is now or never.
    case seconds(Int64)
    case until(Instant)
}

extension MessageContent {
    /// Nil where the platform's own field is missing or no number.
    ///
    /// Android has `"3.5s"`, of which whole seconds are told; Apple platforms have a UNIX time or
    /// 0; the web has seconds.
    package func statedLife(on platform: Platform) -> StatedLife? {
        guard let text = value(at: platform.lifePath)?.stringValue else { return nil }
        let digits = platform == .android ? text.split { ".s".contains($0) }.first : text[...]
        guard let number = digits.flatMap({ Int64($0) }) else { return nil }
        return platform == .apple && number != 0
            ? .until(Instant(secondsSince1970: number)) : .seconds(number)
    }
}
