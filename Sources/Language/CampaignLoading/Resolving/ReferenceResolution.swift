import CampaignModel
import Diagnostics
import Text
import Time

/// An undeclared name; suggestions for it are computed at the end.
enum UnknownName: Sendable {
    case topic(Spanned<Topic>)
    case audience(Spanned<AudienceID>)
    /// A list of a set.
    case setPart(Spanned<AudienceID>)
    case message(Spanned<SharedMessageID>)
    case zone(Spanned<String>, TimeZoneError)
}

extension ProjectResolver {
    /// FCM silently accepts a misspelled topic, so every topic must be declared.
    mutating func check(_ topic: Spanned<Topic>, among topics: [Topic: TopicDescription]?) {
        guard let topics, topics[topic.value] == nil else { return }
        unknownNames.append(.topic(topic))
    }

    /// Whether the shared message that a campaign extends can be merged; true if it extends none.
    mutating func check(_ extended: Spanned<SharedMessageID>?) -> Bool {
        guard let extended, !sharedMessages.contains(extended.value) else { return true }
        unknownNames.append(.message(extended))
        return false
    }

    /// Reports duplicate names of shared messages.
    mutating func checkSharedMessages() {
        var seen = NameTable()
        for name in declarations.sharedMessages.map(\.name) {
            let text = name.value.rawValue
            _ = seen.add(text, as: "shared message", at: name.span, reportingTo: &log)
        }
    }

    /// Returns the zone's name; nil if it is unknown or not given.
    mutating func resolveZone(_ zone: Spanned<String>?) -> String? {
        guard let zone else { return nil }
        do {
            return try zones.rules(named: zone.value).name
        } catch {
            unknownNames.append(.zone(zone, error))
            return nil
        }
    }

    /// Reports all undeclared names.
    mutating func reportUnknownNames(_ topics: [Topic: TopicDescription]?) {
        guard !unknownNames.isEmpty else { return }
        let topicNames = topics?.keys.sorted().map(\.name) ?? []
        let audiences = AudienceNames(declarations)
        let messageNames = declarations.sharedMessages.map(\.name.value.rawValue)
        var zoneNames: [String]?
        var suggestions = BoundedSuggestions()
        for name in unknownNames {
            switch name {
            case .topic(let topic):
                let near = suggestions.nearest(to: topic.value.name, among: topicNames)
                log.report(.unknownTopic(topic.value, near: near, at: topic.span))
            case .audience(let id):
                let help = "write `topic: \(id.value)` for a topic"
                report(id, orElse: help, among: audiences, suggestions: &suggestions)
            case .setPart(let id):
                let help = "add the document `audience: \(id.value)`, or remove the name"
                report(id, orElse: help, among: audiences, suggestions: &suggestions)
            case .message(let id):
                report(id, among: messageNames, suggestions: &suggestions)
            case .zone(let zone, let error):
                let names = zoneNames ?? zones.names()
                zoneNames = names
                let near = suggestions.nearest(to: zone.value, among: names)
                log.report(.timeZone(zone.value, error: error, near: near, at: zone.span))
            }
        }
    }

    private mutating func report(
        _ id: Spanned<AudienceID>,
        orElse help: String,
        among declared: AudienceNames,
        suggestions: inout BoundedSuggestions
    ) {
        let name = id.value.rawValue
        guard declared.areComplete, !declared.all.contains(name),
            !declarations.doubtfulNames.contains(name)
        else { return }
        let near = suggestions.nearest(to: name, among: declared.inOrder)
        log.report(.unknownAudience(id, near: near, orElse: help))
    }

    private mutating func report(
        _ id: Spanned<SharedMessageID>,
        among declared: [String],
        suggestions: inout BoundedSuggestions
    ) {
        let name = id.value.rawValue
        guard !declarations.areMessagesDoubtful, !declarations.doubtfulMessages.contains(name)
        else { return }
        let near = suggestions.nearest(to: name, among: declared)
        log.report(.unknownMessage(id.value, near: near, at: id.span))
    }
}

/// The names of audiences.
private struct AudienceNames {
    let inOrder: [String]
    let all: Set<String>
    /// Whether the name of every audience could be read.
    let areComplete: Bool

    init(_ declarations: Declarations) {
        inOrder = declarations.audiences.compactMap { $0.value.audience?.value.rawValue }
        all = Set(inOrder)
        areComplete =
            inOrder.count == declarations.audiences.count && !declarations.areAudiencesDoubtful
    }
}

/// The system's zones; each is read once per run.
struct KnownZones {
    private let database: TimeZoneDatabase
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

    func names() -> [String] { database.names() }
}

extension Diagnostic {
    fileprivate static func unknownAudience(
        _ id: Spanned<AudienceID>,
        near: String?,
        orElse help: String
    ) -> Diagnostic {
        Diagnostic(
            rule: .unknownAudience,
            message: "there is no audience `\(id.value)`",
            span: id.span,
            label: "not an `audience:` document",
            help: [near.map { "did you mean `\($0)`?" } ?? help],
            fix: near.map { Fix(span: id.span, replacement: $0) }
        )
    }

    fileprivate static func unknownMessage(
        _ id: SharedMessageID,
        near: String?,
        at span: SourceSpan
    ) -> Diagnostic {
        Diagnostic(
            rule: .unknownMessage,
            message: "there is no shared message `\(id)`",
            span: span,
            label: "not an entry of a `messages:` document",
            help: [near.map { "did you mean `\($0)`?" } ?? "declare it: `messages: { \(id): … }`"],
            fix: near.map { Fix(span: span, replacement: $0) }
        )
    }

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
        error: TimeZoneError,
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
