import CampaignModel
import Planning
import Testing
import Time

@testable import Presentation

struct QuietWordingTests {
    private static let due = PlanScene.moment(54_000)
    private static let until = PlanScene.moment(83_066)

    private func wording(_ effect: QuietEffect) -> String {
        let clock = StoryClock(
            now: PlanScene.now,
            timeZone: "UTC",
            others: [],
            zones: .system(environment: [:])
        )
        return QuietWording(clock: clock).wording(effect)
    }

    @Test(arguments: [
        (
            QuietEffect.Kind.moved,
            "is due in quiet hours (2027-01-15 23:00 UTC), so it is deferred until 2027-01-16 "
                + "07:04:26 UTC"
        ),
        (
            .fanOut,
            "is due shortly before quiet hours (2027-01-15 23:00 UTC), and FCM would still deliver "
                + "it in them, so it is deferred until 2027-01-16 07:04:26 UTC"
        ),
        (
            .overtaken,
            "was not sent before quiet hours began (2027-01-15 23:00 UTC), so it is deferred until "
                + "2027-01-16 07:04:26 UTC"
        ),
        (
            .expires,
            "is due in quiet hours (2027-01-15 23:00 UTC) and is over before they let it go "
                + "(2027-01-16 07:04:26 UTC), so it expires and nothing is sent"
        ),
    ]) func `names the due time and the end`(_ kind: QuietEffect.Kind, _ text: String) {
        #expect(wording(QuietEffect(kind, due: Self.due, until: Self.until)) == text)
    }

    private func zones(_ count: Int, messages: Int? = 1_200, leftOut: Int = 0) -> QuietEffect {
        QuietEffect(
            .zones,
            until: Self.until,
            count: messages,
            zones: (0..<count).map { number in
                let until = PlanScene.moment(83_066 + Int64(number) * 3_600)
                return QuietEffect.Zone(name: "Zone/\(number)", until: until, count: nil)
            },
            leftOut: leftOut
        )
    }

    @Test func `names the time zones whose recipients wait`() {
        #expect(
            wording(zones(1))
                == "1,200 messages are deferred by quiet hours in the recipients' time "
                + "zones: Zone/0 until 2027-01-16 07:04:26 UTC"
        )
        #expect(
            wording(zones(2, messages: nil))
                == "messages are deferred by quiet hours in the recipients' time zones: Zone/0 until "
                + "2027-01-16 07:04:26 UTC, Zone/1 until 2027-01-16 08:04:26 UTC"
        )
    }

    @Test func `counts time zones after the third, with the end of the last`() {
        let text = wording(zones(400))
        #expect(text.contains("Zone/2 until 2027-01-16 09:04:26 UTC, and 397 more time zones, the"))
        #expect(!text.contains("Zone/3 "))
        #expect(text.hasSuffix("the last until 2027-02-01 22:04:26 UTC"))
    }

    @Test func `counts the messages that are too late in their time zones`() {
        let text =
            "1 message is not sent, because quiet hours in the recipients' time zones end too "
            + "late for this send"
        #expect(wording(zones(0, messages: 0, leftOut: 1)) == text)
        #expect(wording(zones(1, leftOut: 1)).hasSuffix("UTC; \(text)"))
    }

    @Test func `counts the messages that wait`() {
        #expect(
            wording(QuietEffect(.interrupted, until: Self.until, count: 1_200))
                == "quiet hours begin before everything is sent, so about 1,200 messages are "
                + "deferred until 2027-01-16 07:04:26 UTC"
        )
        #expect(
            wording(QuietEffect(.rest, until: Self.until, count: 1))
                == "quiet hours interrupted it, so 1 message is deferred until 2027-01-16 "
                + "07:04:26 UTC"
        )
        #expect(
            wording(QuietEffect(.rest, until: Self.until))
                == "is deferred until 2027-01-16 07:04:26 UTC, when quiet hours are over"
        )
        #expect(
            wording(QuietEffect(.expires, until: Self.until, count: 7))
                == "the last 7 messages cannot be sent before quiet hours and will be over after "
                + "them (2027-01-16 07:04:26 UTC), so nothing is sent then"
        )
    }

    @Test func `says that a device may receive it at night`() {
        let effect = QuietEffect(.moved, due: Self.due, until: Self.until, mayArriveLater: true)
        #expect(
            wording(effect).hasSuffix(
                "; its lifetime lasts into quiet hours, so a device that is offline until then may "
                    + "receive it at night"
            )
        )
    }
}
