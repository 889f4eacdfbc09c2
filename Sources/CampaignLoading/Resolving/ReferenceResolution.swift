import CampaignModel
import Diagnostics
import Scheduling

extension ProjectResolver {
    /// FCM would accept a misspelt topic in silence, so every topic has to be declared.
    mutating func check(_ topic: Spanned<Topic>, _ topics: [Topic: TopicDescription]?) {
        guard let topics, topics[topic.value] == nil else { return }
        let names = topicNames ?? topics.keys.sorted().map(\.name)
        topicNames = names
        let near = suggestions.nearest(to: topic.value.name, among: names)
        log.report(.unknownTopic(topic.value, near: near, at: topic.span))
    }

    /// The zone's name, or nil after a report.
    mutating func resolveZone(_ zone: Spanned<String>?) -> String? {
        zones.name(zone, &log)
    }
}

/// The system's zones in one run, which reads their names at most once.
struct KnownZones {
    private let database: TimeZoneDatabase
    private var names: [String]?
    private var suggestions = BoundedSuggestions()
    private var known: [String: TimeZoneRules] = [:]

    init(_ database: TimeZoneDatabase) {
        self.database = database
    }

    mutating func rules(named name: String) throws(TimeZoneError) -> TimeZoneRules {
        if let rules = known[name] { return rules }
        let rules = try database.rules(named: name)
        known[name] = rules
        return rules
    }

    /// The name as the system has it; nil after a report, and where none is given.
    mutating func name(_ zone: Spanned<String>?, _ log: inout DiagnosticLog) -> String? {
        guard let zone else { return nil }
        do {
            return try rules(named: zone.value).name
        } catch {
            let near = suggestions.nearest(to: zone.value, among: allNames())
            log.report(.timeZone(zone.value, error, near: near, at: zone.span))
            return nil
        }
    }

    private mutating func allNames() -> [String] {
        let all = names ?? database.names()
        names = all
        return all
    }
}

extension Diagnostic {
    fileprivate static func unknownTopic(
        _ topic: Topic,
        near: String?,
        at span: SourceSpan
    ) -> Diagnostic {
        let help =
            near.map { "did you mean `\($0)`?" }
            ?? "declare it in herald.yaml: `topics: { \(topic): { about: … } }`"
        return Diagnostic(
            rule: .unknownTopic,
            message: "topic `\(topic)` is not declared",
            span: span,
            label: "not in `topics` of herald.yaml",
            help: [help],
            fix: near.map { Fix(span: span, replacement: $0) }
        )
    }

    fileprivate static func timeZone(
        _ name: String,
        _ error: TimeZoneError,
        near: String?,
        at span: SourceSpan
    ) -> Diagnostic {
        var help = ["write an IANA name such as `Europe/Berlin`"]
        if case .noDatabase = error { help = ["install the system's tzdata, or set TZDIR"] }
        if let near { help = ["did you mean `\(near)`?"] }
        return Diagnostic(
            rule: .timeZone,
            message: "`\(name)` is not a time zone that this system knows",
            span: span,
            label: "should be an IANA name",
            help: help,
            fix: near.map { Fix(span: span, replacement: $0) }
        )
    }
}
