import CampaignModel
import JSON
import RegistrationLists
import Scheduling
import State
import StoreConformance
import Testing
import Time

@testable import Planning

/// Changes since the last apply: a new name, a new language, an exclusion, an audience of another
/// kind, a raised revision, a changed rule, missed due times, dead registrations, a priority, and an
/// audience that was removed.
struct OtherChangesScene {
    private let scene: PlanScene
    private let variations: ReviewedVariations

    private init() throws {
        scene = try PlanScene()
        variations = try ReviewedVariations(scene)
    }

    static func plan() async throws -> Plan {
        let made = try OtherChangesScene()
        try await made.begin()
        let first = try await made.plan(.first, at: PlanScene.now.advanced(bySeconds: -3 * 86_400))
        try await made.scene.remember(first)
        try await made.scene.join(1, 2, 3, audience: "beta-testers", topic: "beta")
        return try await made.plan(.second, at: PlanScene.now)
    }

    enum Version {
        case first
        case second
    }

    private func plan(_ version: Version, at now: Instant) async throws -> Plan {
        try await scene.plan(
            campaigns(version),
            removals: version == .first ? [] : [scene.removal(.unsubscribe, of: "beta-testers")],
            topics: [scene.topic(): TopicDescription(about: nil, reach: 12_000)],
            at: now
        )
    }

    /// Sends `survey`, and stops `voucher` after its first answers.
    private func begin() async throws {
        let (survey, voucher) = (try survey(revision: 1), try voucher())
        try await scene.record([.accepted], of: scene.begin(survey))
        try await scene.store.close(scene.id("survey"), as: .finished)
        let answers = Array(repeating: Outcome.rejected, count: 20)
        try await scene.record(answers, of: scene.begin(voucher))
        try await scene.store.hold(scene.id("voucher"), with: .mostlyDead)
    }
}

// MARK: - Campaigns

extension OtherChangesScene {
    private func campaigns(_ version: Version) throws -> [Campaign] {
        try [
            renamed(version), translated(version), excluding(version), harbour(version),
            survey(revision: version == .first ? 1 : 2), tides(version), bulletin(), voucher(),
            storm(version),
        ]
    }

    private func text(_ title: String) -> JSONObject {
        ["notification": ["title": .string(title)]]
    }

    private func at(_ hours: Int64) -> Schedule { .at(PlanScene.moment(hours * 3_600)) }

    /// A new name and another title.
    private func renamed(_ version: Version) throws -> Campaign {
        try variations.campaign(
            version == .first ? "spring-sale" : "summer-sale",
            to: .topic(scene.topic()),
            fields: text(version == .first ? "Spring sale" : "Summer sale"),
            schedule: at(24),
            formerly: version == .first ? nil : "spring-sale"
        )
    }

    /// One language more.
    private func translated(_ version: Version) throws -> Campaign {
        let rows = try zip(0..., ["pt", "de", "pt", "nl"]).map { number, locale in
            "\(try scene.registration(number).token),\(locale)\n"
        }
        try scene.write("registration,locale\n" + rows.joined(), to: "guests.csv")
        let file = RegistrationFile(
            path: "guests.csv",
            format: .csv,
            kind: .token,
            column: "registration",
            identity: nil,
            reading: .atApply
        )
        let texts = [("pt", "Bem-vindo"), ("de", "Willkommen")]
        return Campaign(
            id: try #require(CampaignID("welcome")),
            about: nil,
            owner: nil,
            target: .registrations(.described(file)),
            audience: nil,
            content: MessageContent(fields: text("Welcome")),
            delivery: .unspecified,
            schedule: at(2),
            localizations: try texts.prefix(version == .first ? 1 : 2).map { locale, title in
                Localization(
                    locale: try #require(Locale(locale)),
                    content: MessageContent(fields: text(title))
                )
            },
            coversOtherLocales: true
        )
    }

    /// An audience without the members of another one.
    private func excluding(_ version: Version) throws -> Campaign {
        let anglers = RegistrationList.inline(try (10..<20).map(scene.registration))
        let staff = RegistrationList.inline(try (18..<22).map(scene.registration))
        let rest = ListSet(
            of: [ListSet.Part(AudienceID("anglers"), list: anglers)],
            except: [ListSet.Part(AudienceID("staff"), list: staff)]
        )
        return Campaign(
            id: try #require(CampaignID("regatta")),
            about: nil,
            owner: nil,
            target: .registrations(version == .first ? anglers : .set(rest)),
            audience: AudienceID("anglers"),
            excluded: version == .first ? [] : [try #require(AudienceID("staff"))],
            content: MessageContent(fields: text("The regatta starts on Sunday")),
            delivery: .unspecified,
            schedule: at(3)
        )
    }

    /// A list instead of a topic.
    private func harbour(_ version: Version) throws -> Campaign {
        try variations.campaign(
            "harbour",
            to: version == .first
                ? .topic(scene.topic()) : .registrations(scene.file(100..<350)),
            fields: text("The harbour closes at 18:00"),
            schedule: at(4)
        )
    }

    private func survey(revision: Int) throws -> Campaign {
        try variations.campaign(
            "survey",
            to: .topic(scene.topic()),
            fields: text("How was your season?"),
            revision: revision
        )
    }

    /// Once a day instead of every hour; the send of the last hour was not made.
    private func tides(_ version: Version) throws -> Campaign {
        try rule("tides", version == .first ? "0 * * * *" : "30 18 * * *", title: "Tides today")
    }

    /// An unchanged rule that no apply sent for three days.
    private func bulletin() throws -> Campaign {
        try rule("bulletin", "0 6 * * *", title: "Harbour bulletin")
    }

    private func rule(_ name: String, _ cron: String, title: String) throws -> Campaign {
        try variations.campaign(
            name,
            to: .topic(scene.topic()),
            fields: text(title),
            schedule: .repeating(
                RepeatingSchedule(
                    text: cron,
                    pattern: .cron(try CronSchedule(parsing: cron)),
                    zone: "UTC",
                    from: nil,
                    until: nil
                )
            )
        )
    }

    private func voucher() throws -> Campaign {
        let list = RegistrationList.inline(try (400..<440).map(scene.registration))
        return try variations.campaign(
            "voucher",
            to: .registrations(list),
            fields: text("A voucher for you")
        )
    }

    private func storm(_ version: Version) throws -> Campaign {
        try variations.campaign(
            "storm",
            to: .topic(scene.topic()),
            fields: text("Storm warning"),
            delivery: Delivery(
                timeToLive: TimeToLive(seconds: 300),
                priority: version == .first ? .normal : .high,
                collapse: nil
            ),
            schedule: at(5)
        )
    }
}
