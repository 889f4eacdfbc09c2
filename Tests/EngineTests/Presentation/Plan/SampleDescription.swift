import CampaignModel
import Planning
import Testing
import Time

@testable import Presentation

/// A plan's description with one of everything that a view shows.
///
/// `text` is used in every place for user text.
struct SampleDescription {
    var text = "Currents up to 4 knots"

    func make(copies: Int = 1) throws -> PlanDescription {
        PlanDescription(
            head: try head(),
            groups: [
                PlanDescription.Group(
                    kind: .sends,
                    entries: try (1...copies).map { try entry("spring-tide-\($0)") }
                ),
                PlanDescription.Group(kind: .changed, entries: [try quiet()]),
            ],
            notices: [
                NoticeDescription(subject: "beta-anglers", wording: "is addressed by \(text)")
            ],
            guards: [
                GuardDescription(
                    name: "max-recipients",
                    subject: "spring-tide-1",
                    outcome: .refused,
                    wording: "reaches 60,000 of at most 50,000; \(text)"
                )
            ],
            unchanged: 12,
            leftOut: 0,
            summary: "\(copies) sends, 1 changed. \(copies) requests. 12 campaigns unchanged.",
            digest: "0badc0de0badc0de0badc0de0badc0de0badc0de@7"
        )
    }

    func timeline() throws -> PlanTimeline {
        let start = try moment("2027-01-15 08:00").instant
        return PlanTimeline(
            start: start,
            end: start.advanced(bySeconds: 14 * 86_400),
            sendings: [
                try sending("spring-tide-1", "2027-01-15 08:00", true),
                try sending("daily", "2027-01-16 07:30", false),
                try sending("daily", "2027-01-17 07:30", false),
            ],
            more: 1_200
        )
    }

    private func sending(
        _ name: String,
        _ local: String,
        _ isPlanned: Bool
    ) throws -> PlanTimeline.Sending {
        PlanTimeline.Sending(campaign: name, moment: try moment(local), isPlanned: isPlanned)
    }

    private func head() throws -> PlanDescription.Head {
        PlanDescription.Head(
            project: "tidewatch",
            environment: "production",
            destination: DestinationWording(
                PlanDestination(
                    environment: try #require(EnvironmentID("production")),
                    projectID: "tidewatch-b5ae1",
                    server: .google,
                    isProtected: true
                )
            ),
            now: try moment("2027-01-15 08:00"),
            isApplicable: true
        )
    }

    /// Uses a time zone one hour behind UTC.
    private func moment(_ local: String, note: String? = nil) throws -> MomentDescription {
        let civil = try #require(CivilDateTime(parsing: local))
        let seconds =
            Int64(civil.date.daysSince1970) * 86_400 + Int64(civil.time.secondsSinceMidnight)
            + 3_600
        let instant = Instant(secondsSince1970: seconds)
        return MomentDescription(
            instant: instant,
            weekday: "Friday",
            local: local,
            zone: "Atlantic/Azores",
            utc: instant.utcText,
            distance: "in 3 h",
            note: note
        )
    }

    private func entry(_ name: String) throws -> PlanEntry {
        PlanEntry(
            name: name,
            about: "Warn anglers: \(text)",
            headlines: [
                PlanEntry.Headline(
                    symbol: .send,
                    wording: "is sent now, to topic \(text)",
                    moment: nil,
                    former: nil,
                    quotes: true
                ),
                PlanEntry.Headline(
                    symbol: .wait,
                    wording: "is scheduled",
                    moment: try moment("2027-01-16 07:30", note: "clocks go forward: \(text)"),
                    former: try moment("2027-01-16 07:00")
                ),
            ],
            who: ["condition \(text)", "declared reach 40,000"],
            message: message,
            changes: changes,
            rule: RuleDescription(
                text: "30 7 * * * \(text)",
                zone: "Atlantic/Azores",
                wording: "at 7:30 every day",
                next: [try moment("2027-01-17 07:30")]
            ),
            how: ["1 request", "fans out within about 4 s"],
            requests: 1,
            notices: ["its time to live is \(text)"]
        )
    }

    private func quiet() throws -> PlanEntry {
        PlanEntry(
            name: "sent-before",
            about: nil,
            headlines: [
                PlanEntry.Headline(
                    symbol: .change,
                    wording: "was already sent, so nothing is sent; raise `revision` to send again",
                    moment: nil,
                    former: nil
                )
            ],
            who: [],
            message: nil,
            changes: [changes[0]],
            rule: nil,
            how: [],
            requests: 0,
            notices: []
        )
    }

    private var changes: [ChangeDescription] {
        [
            ChangeDescription(
                name: "body",
                platforms: Platform.allCases,
                before: "Old \(text)",
                after: "New \(text)",
                segments: [
                    TextSegment(kind: .removed, text: "Old"),
                    TextSegment(kind: .added, text: "New"),
                    TextSegment(kind: .same, text: " \(text)"),
                ]
            ),
            ChangeDescription(
                name: "data.\(text)",
                platforms: [.android, .web],
                before: nil,
                after: text,
                segments: [TextSegment(kind: .added, text: text)]
            ),
            ChangeDescription(
                name: "schedule",
                platforms: [],
                before: text,
                after: nil,
                segments: [
                    TextSegment(kind: .removed, text: text),
                    TextSegment(kind: .elided, text: "9,120 characters unchanged"),
                ]
            ),
        ]
    }

    private var message: MessageDescription {
        MessageDescription(
            platforms: [
                PlatformDescription(
                    platform: .android,
                    kind: "notification and data",
                    getsSomething: true,
                    showsSomething: true,
                    title: "Spring tide: \(text)",
                    body: "\(text)\nafter 09:00",
                    image: "https://images.example/tide.png?\(text)",
                    fields: [PlatformDescription.Field(path: "data.\(text)", value: text)],
                    life: "kept up to 12 h",
                    priority: "high priority",
                    replaces: "replaces an older \"\(text)\""
                ),
                PlatformDescription(
                    platform: .apple,
                    kind: "data",
                    getsSomething: true,
                    showsSomething: false,
                    title: nil,
                    body: nil,
                    image: nil,
                    fields: [],
                    life: "kept up to 30 days",
                    priority: "normal priority",
                    replaces: nil
                ),
                PlatformDescription(
                    platform: .web,
                    kind: "nothing",
                    getsSomething: false,
                    showsSomething: false,
                    title: nil,
                    body: nil,
                    image: nil,
                    fields: [],
                    life: "kept up to 4 weeks",
                    priority: "default priority",
                    replaces: nil
                ),
            ],
            replacement: ReplacementDescription(key: text, place: " on Apple only")
        )
    }
}
