import CampaignModel
import TestSupport
import Testing

struct TimeToLiveTests {
    @Test(.covers("C49", "F4-ttl"), arguments: [Int64(0), 1, 2_419_199, 2_419_200])
    func `accepts 0 seconds to 28 days`(seconds: Int64) {
        #expect(TimeToLive(seconds: seconds)?.seconds == seconds)
    }

    @Test(.covers("C49", "F4-ttl"), arguments: [Int64.min, -1, 2_419_201, .max])
    func `rejects a time to live below 0 or above 28 days`(seconds: Int64) {
        #expect(TimeToLive(seconds: seconds) == nil)
    }

    @Test(arguments: [
        ("0", Int64(0)), ("0s", 0), ("90s", 90), ("30m", 1_800), ("12h", 43_200),
        ("4d", 345_600), ("1h30m", 5_400), ("1d1h1m1s", 90_061), ("0d5s", 5), ("007s", 7),
        ("9223372036854775807s", .max), ("106751991167300d", 9_223_372_036_854_720_000),
    ])
    func `reads durations`(text: String, seconds: Int64) {
        #expect(DurationText.seconds(text) == seconds)
    }

    @Test(arguments: [
        "", "1", "00", "s", "-1s", "+1s", "1.5h", "1 h", " 1h", "1h ", "30m1h", "1h1h", "1H", "1w",
        "1h30", "١s", "9223372036854775808s", "106751991167301d", "106751991167300d16h",
    ])
    func `refuses invalid durations`(text: String) {
        #expect(DurationText.seconds(text) == nil)
    }

    @Test(arguments: [
        (Int64(0), "0"), (1, "1s"), (60, "1m"), (3_600, "1h"), (86_400, "1d"), (5_400, "1h30m"),
        (90_061, "1d1h1m1s"), (2_419_200, "28d"), (86_399, "23h59m59s"),
    ])
    func `writes durations in their shortest form`(seconds: Int64, text: String) {
        #expect(DurationText.text(seconds: seconds) == text)
        #expect(DurationText.seconds(text) == seconds)
    }
}
