import CampaignModel
import Diagnostics
import Time

/// Creates the model from the declarations: it resolves names and converts local times to instants.
///
/// Values that cannot be resolved are reported and omitted, so that everything else is still
/// checked.
struct ProjectResolver {
    let declarations: Declarations
    /// The names of the shared messages that campaigns can extend.
    let sharedMessages: Set<SharedMessageID>
    var zones: KnownZones
    var log: DiagnosticLog
    var unknownNames: [UnknownName] = []
    /// The campaigns that do not belong to the environment, if the files are loaded for one.
    var elsewhere: [CampaignID] = []
    /// The audiences whose declarations have errors.
    let brokenAudiences: Set<AudienceID>

    init(declarations: Declarations, zones: TimeZoneDatabase, log: DiagnosticLog) {
        self.declarations = declarations
        sharedMessages = Set(declarations.sharedMessages.map(\.name.value))
        self.zones = KnownZones(zones)
        self.log = log
        let errors = Dictionary(grouping: log.errors.compactMap(\.span), by: \.source)
        let broken = declarations.audiences.filter { audience in
            errors[audience.span.source]?.contains { audience.span.contains($0) } ?? false
        }
        brokenAudiences = Set(broken.compactMap { $0.value.audience?.value })
    }

    mutating func resolve() -> Project? {
        guard let declared = declarations.project, let id = declared.project?.value else {
            return nil
        }
        let timeZone = resolveZone(declared.timezone) ?? "UTC"
        let topics = resolveTopics(declared)
        let audiences = resolveAudiences(topics)
        checkSharedMessages()
        let campaigns = resolveCampaigns(
            topics: topics,
            audiences: audiences,
            projectZone: timeZone
        )
        let devices = resolveDevices(topics)
        let upstream = resolveUpstream(topics)
        reportUnknownNames(topics)
        return Project(
            id: id,
            timeZone: timeZone,
            globalHoldOut: declared.globalHoldOut?.value,
            recall: declared.recall?.value.resolved,
            topics: topics ?? [:],
            environments: resolveEnvironments(declared),
            campaigns: campaigns,
            corrections: resolveCorrections(),
            audiences: audiences,
            devices: devices,
            removals: resolveRemovals(audiences),
            elsewhere: elsewhere,
            sources: resolveSources(declared),
            upstream: upstream
        )
    }

    /// Returns nil if the registry could not be read, so that no topic can be checked.
    private mutating func resolveTopics(
        _ declared: ProjectDeclaration
    ) -> [Topic: TopicDescription]? {
        guard !declarations.isRegistryDoubtful else { return nil }
        var topics: [Topic: TopicDescription] = [:]
        var seen = NameTable()
        for entry in declared.topics?.value ?? [] {
            let name = entry.name
            guard seen.add(name.value.name, as: "topic", at: name.span, reportingTo: &log) else {
                continue
            }
            topics[entry.name.value] = TopicDescription(
                about: entry.content?.about?.value,
                reach: entry.content?.reach.map { Int($0.value) },
                isTest: entry.content?.test?.value ?? false
            )
        }
        return topics
    }

    /// The project's settings for single rules.
    var ruleSettings: [RuleID: RuleSetting] {
        Dictionary(
            (declarations.project?.rules?.value ?? []).compactMap { entry in
                entry.content.map { (entry.name.value, $0) }
            },
            uniquingKeysWith: { first, _ in first }
        )
    }

    mutating func checkRuleSettings() {
        for entry in declarations.project?.rules?.value ?? [] {
            let isTurnedDown = entry.content == .off || entry.content == .warn
            if isTurnedDown, !entry.name.value.isConfigurable {
                log.report(.fixedRule(entry.name.value, at: entry.name.span))
            }
        }
    }

    private mutating func resolveDevices(
        _ topics: [Topic: TopicDescription]?
    ) -> [VirtualDevice] {
        var devices: [VirtualDevice] = []
        var seen = NameTable()
        var groups = NameTable()
        var registrations = NameTable()
        for group in declarations.devices {
            if let name = group.value.devices {
                _ = groups.add(
                    name.value.rawValue,
                    as: "group of devices",
                    at: name.span,
                    reportingTo: &log
                )
            }
            for phone in group.value.phones?.value ?? [] {
                guard let name = phone.value.name, let platform = phone.value.platform,
                    let registration = phone.value.registration
                else { continue }
                guard seen.add(name.value.rawValue, as: "device", at: name.span, reportingTo: &log)
                else { continue }
                guard
                    registrations.addSecret(
                        registration.value.token,
                        as: "device's registration",
                        at: registration.span,
                        reportingTo: &log
                    )
                else { continue }
                let joined = phone.value.topics?.value ?? []
                for topic in joined { check(topic, among: topics) }
                let isAndroid = platform.value == .android
                devices.append(
                    VirtualDevice(
                        name: name.value.rawValue,
                        platform: platform.value,
                        registration: registration.value,
                        isOnline: phone.value.online?.value ?? true,
                        isInForeground: phone.value.foreground?.value ?? false,
                        isDozing: isAndroid && phone.value.doze?.value ?? false,
                        isForceStopped: isAndroid && phone.value.forceStopped?.value ?? false,
                        topics: joined.map(\.value)
                    )
                )
            }
        }
        return devices
    }
}

/// Finds duplicate names.
struct NameTable {
    private var places: [String: SourceSpan]

    init(minimumCapacity: Int = 0) {
        places = Dictionary(minimumCapacity: minimumCapacity)
    }

    mutating func add(
        _ name: String,
        as kind: String,
        at span: SourceSpan,
        reportingTo log: inout DiagnosticLog
    ) -> Bool {
        add(name, describedAs: "\(kind) `\(name)`", at: span, reportingTo: &log)
    }

    /// Like `add`, for names that no message may show.
    mutating func addSecret(
        _ name: String,
        as kind: String,
        at span: SourceSpan,
        reportingTo log: inout DiagnosticLog
    ) -> Bool {
        add(name, describedAs: kind, at: span, reportingTo: &log)
    }

    private mutating func add(
        _ name: String,
        describedAs words: @autoclosure () -> String,
        at span: SourceSpan,
        reportingTo log: inout DiagnosticLog
    ) -> Bool {
        if let first = places[name] {
            log.report(.duplicateName(words(), at: span, first: first))
            return false
        }
        places[name] = span
        return true
    }
}

extension Diagnostic {
    fileprivate static func duplicateName(
        _ words: String,
        at span: SourceSpan,
        first: SourceSpan
    ) -> Diagnostic {
        Diagnostic(
            rule: .duplicateName,
            message: "duplicate \(words)",
            span: span,
            label: "the second",
            related: [RelatedPlace(span: first, message: "the first")],
            help: ["change or remove one of them"]
        )
    }
}
