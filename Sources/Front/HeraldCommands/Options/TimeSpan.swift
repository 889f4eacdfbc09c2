import ArgumentParser
import CampaignModel

/// A duration in an option: `90s`, `31m`, `1h30m`, or a number of seconds.
struct TimeSpan: ExpressibleByArgument {
    let seconds: Int64

    init(seconds: Int64) {
        self.seconds = seconds
    }

    init?(argument: String) {
        guard let seconds = DurationText.seconds(argument) ?? Int64(argument), seconds >= 0 else {
            return nil
        }
        self.seconds = seconds
    }

    var duration: Duration { .seconds(seconds) }
    var text: String { DurationText.text(seconds: seconds) }
    var defaultValueDescription: String { text }
}
