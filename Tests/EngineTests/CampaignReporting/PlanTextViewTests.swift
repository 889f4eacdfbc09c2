import CampaignModel
import CampaignReporting
import CampaignState
import FCMWire
import TestSupport
import Testing

@testable import CampaignPlanning

struct PlanTextViewTests {
    private let view = PlanTextView(style: TextStyle(useColor: false))

    @Test(.covers("C01", "C50")) func `shows one of everything`() throws {
        #expect(view.render(try SamplePlan.make()) == Self.everything)
    }

    @Test(.covers("C38")) func `says that a ping to a topic collapses`() throws {
        let scene = try PlanScene()
        let ping = try scene.campaign(fields: [:])
        let listed = try scene.campaign(to: .registrations(scene.file(0..<1)), fields: [:])
        let words = "ping, of which a waiting phone keeps only the last, kept up to"
        #expect(view.render(try scene.plan([ping])).contains(words))
        #expect(!view.render(try scene.plan([listed])).contains("keeps only"))
        #expect(view.render(try scene.plan([listed])).contains("ping, kept up to"))
    }

    private static let everything = """
        Plan for dev of shop, 2027-01-15T08:00:00Z

          - everyone                 1 leaves topic news
          + everyone                 2 join topic news
          - everyone                 1 no longer kept in topic news by this audience; nothing is \
        sent for them
          + everyone                 1 in topic news before us, or gone from it by themselves, as \
        another audience knows; nothing is sent for them

          > new                      sends now to 2 registrations of everyone
              “Hello\\u{7} — you”
              everywhere: notification, kept up to 1m30s
              should it be repeated, it replaces itself: key ffbaf1636711d2d4

          > resumed                  goes on where it stopped, with the message it began \
        with: 1 request left to 3 registrations written in the campaign
              “Hello\\u{7} — you”
              everywhere: notification, kept up to 1m30s
              should it be repeated, it replaces itself: key 6f21702e4bae0759

          ! lapsed                   stopped, and its message has outlived its time since: \
        2 requests will not be sent

          + later                    is scheduled for 2027-01-15 11:00 UTC \
        (2027-01-15T11:00:00Z, in 3 h), to topic news (declared reach 12,000)
              “Later”
              android, web: notification, kept up to 4 weeks
              apple: notification, kept up to 30 days
              should it be repeated, it replaces itself: key afef4c5e9bb6c774

          ~ moved                    moves from 2027-01-15T09:00:00Z to 2027-01-17 08:00 UTC \
        (2027-01-17T08:00:00Z, in 2 days), to condition 'a' in topics
              “Moved”
              android, web: notification, kept up to 4 weeks
              apple: notification, kept up to 30 days
              should it be repeated, it replaces itself: key 257ebbbb5467cef9
              schedule: "2027-01-15 09:00 UTC" → "2027-01-17 08:00 UTC"

          ! late                     is too late, nothing is sent: it was due 2027-01-15 07:40 \
        UTC (2027-01-15T07:40:00Z, 20 min ago)

          ~ reworded                 changed; stays scheduled for 2027-01-15 09:00 UTC \
        (2027-01-15T09:00:00Z, in 1 h)
              “Reworded”
              android, web: notification, kept up to 4 weeks
              apple: notification, kept up to 30 days
              message.data.a: (absent) → "\\u001b[2J"

          ~ sent                     already sent; raise `revision` to send again
              audience.topic: "news" → "sport"

          ! halted                   stopped: 1 outcome unknown, so it is not repeated; `herald \
        resolve halted/once/1 sent|resend|drop -e dev` settles it

          - gone                     is gone from the files: what was not sent is cancelled

          - old                      is gone from the files; its history stays

          ~ renamed                  was elder; its history moves here and nothing is sent again

          = paused                   is paused since 2027-01-15T08:00:00Z, with the whole \
        environment, by ada on desk: paused/once/1 is not sent

          ! held                     is held, 1 request not sent: too many registrations are \
        dead or of another project; where the list is that old, write `acknowledge: { dead: SHARE, \
        reason: … }`, else let it go on with `herald resolve held/once/1 resend -e dev`, or take \
        the campaign out

          ! mended                   is held, 1 request not sent: FCM refused its message again \
        and again; mend it and raise `revision`, let it go on with `herald resolve mended/once/1 \
        resend -e dev`, or take the campaign out

          ! skipped                  is too late and skipped, nothing is sent: it was due \
        2027-01-15 07:40 UTC (2027-01-15T07:40:00Z, 20 min ago)

          ! daily                    missed 3 moments, 2027-01-15T06:00:00Z to \
        2027-01-15T07:00:00Z; nothing is sent for them

          ! minutes                  missed at least 10,080 moments, 2027-01-15T06:00:00Z to \
        2027-01-15T07:00:00Z; a later one is sent instead

          - dropped                  dropped/once/1, due 2027-01-15T09:00:00Z, is cancelled: its \
        schedule or revision is gone

          ~ lowered                  revision 1 is lower than 3, which was sent, so nothing is \
        sent; raise `revision` above 3 to send again
              revision: "3" → "1"

          ~ over                     changed; its rule has no later moment

        Notes
          note new: `message.android.ttl` is written by hand; `delivery` does not apply to it
          note new: shows nothing, so on Apple platforms `priority: high` becomes 5
          note new: nothing in it is for apple, web
          note new: 2027-03-28 02:30 does not exist in Europe/Berlin that day, as clocks go \
        forward by 60 min; it is sent at 2027-03-28T01:30:00Z
          note new: 2027-03-28 02:30 comes twice in Europe/Berlin that day; it is sent the first \
        time
          note everyone: FCM refused 2 registrations in topic news; they are not tried again
          note everyone: 12 were in topic news before; they stay when they leave the list
          note everyone: 3 registrations left topic news by themselves; they are not joined again \
        without `rejoin: true`
          note everyone: 1 registration could not leave topic news so far; sends to it wait until \
        they have left
          note everyone: nobody is kept for it any more; its `removed:` document can go
          note new: waits up to 60 s for joins into its topics to settle
          note new: of 1 request nobody can say whether FCM took them; they are not repeated \
        (herald resolve new/once/1 sent|resend|drop -e dev settles them)

        Plan: 1 leave, 2 joins, 1 membership no longer kept, 1 membership noted, 2 sends, 2 scheduled, \
        5 changed, 3 removed, 10,086 too late, 3 stopped, 1 paused; 5 requests, 1 campaign unchanged.
        Digest 11d20a8d0ebe4afa19ba78b02695fda33308d5a3@0

        """

    @Test func `has one line where nothing is to be done`() throws {
        let scene = try PlanScene()
        let campaign = try scene.campaign(schedule: .at(PlanScene.moment(60)))
        try scene.remember(scene.plan([campaign]))
        let text = view.render(try scene.plan([campaign]))
        // The hash of a plan in which nothing is, by Python's `hashlib`.
        let digest = "Digest 868136146250f7d8bbca1c4d5a77efd5b3bcf0bb@1"
        #expect(text == "Nothing to do: 1 campaign as applied.\n\(digest)\n")
        #expect(view.render(try scene.plan([campaign], at: PlanScene.now)) == text)
    }

    @Test func `a sending that waits for a person is shown, and the plan is not called nothing`()
        throws
    {
        let scene = try PlanScene()
        try scene.record([.unknown], of: scene.begin(scene.campaign()))
        #expect(
            view.render(try scene.plan([scene.campaign()])) == """
                  ! sale                     stopped: 1 outcome unknown, so it is not repeated; \
                `herald resolve sale/once/1 sent|resend|drop -e dev` settles it

                Notes
                  note sale: of 1 request nobody can say whether FCM took them; they are not \
                repeated (herald resolve sale/once/1 sent|resend|drop -e dev settles them)

                Plan: 1 stopped; 0 requests.
                Digest 868136146250f7d8bbca1c4d5a77efd5b3bcf0bb@2

                """
        )
    }

    @Test func `names a condition as it was written`() throws {
        let scene = try PlanScene()
        let condition = try Condition(parsing: "'a' in topics || 'b' in topics")
        let text = view.render(try scene.plan([scene.campaign(to: .condition(condition))]))
        #expect(text.contains("sends now to condition 'a' in topics || 'b' in topics\n"))
    }

    @Test func `counts the unchanged only where there are any`() throws {
        let scene = try PlanScene()
        let later = try scene.campaign("later", schedule: .at(PlanScene.moment(60)))
        let without = view.render(try scene.plan([scene.campaign()]))
        #expect(without.contains("\nPlan: 1 send; 1 request.\nDigest "))
        try scene.remember(scene.plan([later]))
        let with = view.render(try scene.plan([scene.campaign(), later]))
        #expect(with.contains("\nPlan: 1 send; 1 request, 1 campaign unchanged.\nDigest "))
    }

    @Test func `names a list as it is called`() throws {
        let scene = try PlanScene()
        let text = view.render(
            try scene.plan([
                scene.campaign("a", to: .registrations(scene.file(0..<1_200))),
                scene.campaign("b", to: .registrations(scene.inline(0))),
            ])
        )
        #expect(text.contains("sends now to 1,200 registrations of list.txt\n"))
        #expect(text.contains("sends now to 1 registration written in the campaign\n"))
    }

    @Test func `paints symbols, names and values where asked to`() throws {
        let scene = try PlanScene()
        let painted = PlanTextView(style: TextStyle(useColor: true))
        let text = painted.render(try scene.plan([scene.campaign()]))
        let name = "sale" + String(repeating: " ", count: 20)
        #expect(text.contains("  \u{1B}[32m>\u{1B}[0m \u{1B}[1m\(name)\u{1B}[0m sends now"))
        #expect(text.contains("      \u{1B}[2m“Hello”\u{1B}[0m\n"))
    }

    @Test func `shows no registration`() throws {
        #expect(!view.render(try SamplePlan.make()).contains("SECRET"))
    }
}
