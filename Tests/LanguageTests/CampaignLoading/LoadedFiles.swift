import CampaignLoading
import CampaignMessages
import CampaignModel
import CampaignRules
import Diagnostics
import RegistrationLists
import TestSupport
import Time

/// A project's files in memory, the loaded project, and its findings.
///
/// In the texts, `«…»` marks the place of an expected finding and `‹…›` a place that it refers to.
struct LoadedFiles {
    let loaded: LoadedProject
    /// Without notes on keys that are not implemented.
    let diagnostics: [Diagnostic]
    /// The keys that plan and apply refuse.
    let laterKeys: [Finding]
    private let files: [(path: String, marked: MarkedText)]

    /// Loads and checks; the paths of lists are relative to `directory`.
    init(
        _ files: [(path: String, text: String)],
        directory: String = "/nonexistent",
        variables: (environment: String, values: [String: String])? = nil
    ) {
        self.files = files.map { ($0.path, MarkedText($0.text)) }
        let variables = variables.flatMap { environment, values in
            EnvironmentID(environment).map { EnvironmentVariables(for: $0, values: values) }
        }
        loaded = ProjectLoader(zones: systemZones, variables: variables)
            .load(self.files.map { ($0.path, .success($0.marked.bytes)) })
        let found = Self.check(loaded, directory: directory)
        diagnostics = found.filter { !$0.isOnLaterKey }
        laterKeys = found.filter(\.isOnLaterKey).map { [catalog = loaded.catalog] in
            Finding($0, catalog)
        }
    }

    /// One campaign file with a project file that declares `tides`, `azores` and `madeira`.
    init(campaign text: String, directory: String = "/nonexistent") {
        self.init(
            [("herald.yaml", Self.smallProject), ("campaigns/a.yaml", text)],
            directory: directory
        )
    }

    /// Only a project file.
    init(project text: String) {
        self.init([("herald.yaml", text)])
    }

    static let smallProject = """
        version: 1
        project: harbour
        topics: { tides: {}, azores: {}, madeira: {} }
        """

    /// The first second of 2037, UTC.
    static let now = Instant(secondsSince1970: 2_114_380_800)

    static func check(_ loaded: LoadedProject, directory: String) -> [Diagnostic] {
        let key = FingerprintKey(bytes: [UInt8](repeating: 7, count: 32))
        let surveys = ListSurveys(
            of: loaded.project?.lists ?? [],
            messages: loaded.project?.messageColumns ?? [:],
            directory: directory,
            fingerprinter: Fingerprinter(key: key)
        )
        return loaded.findings(surveys, at: now).sorted(in: loaded.catalog)
    }

    var project: Project? { loaded.project }
    var findings: [Finding] { diagnostics.map { Finding($0, loaded.catalog) } }
    /// Only errors.
    var errors: [Finding] {
        diagnostics.filter { $0.severity == .error }.map { Finding($0, loaded.catalog) }
    }

    /// The marked places, file by file, each with its rule.
    func expected(_ rules: RuleID...) -> [Finding] {
        let places = files.sorted { $0.path < $1.path }.flatMap { file in
            file.marked.places.map { (file.path, $0) }
        }
        return zip(rules, places).map { rule, place in
            Finding(rule: rule, path: place.0, range: place.1)
        }
    }

    /// The marked places, file by file.
    var places: [Finding.Place?] {
        files.sorted { $0.path < $1.path }.flatMap { file in
            file.marked.places.map { Finding.Place(path: file.path, range: $0) }
        }
    }

    /// The places of `‹…›`, file by file.
    var expectedSecondPlaces: [Finding.Place] {
        files.flatMap { file in
            file.marked.secondPlaces.map { Finding.Place(path: file.path, range: $0) }
        }
    }

    var secondPlaces: [Finding.Place] {
        diagnostics.flatMap(\.related).map { Finding.Place($0.span, loaded.catalog) }
    }

    var campaign: Campaign? { project?.campaigns.first }
}

extension Diagnostic {
    var isOnLaterKey: Bool { rule == .notBuiltYet && severity == .note }
}

/// A rule and the place of its finding, for comparison in tests.
struct Finding: Hashable, CustomStringConvertible {
    struct Place: Hashable {
        let path: String
        let range: Range<Int>
    }

    let rule: RuleID
    let place: Place?

    init(rule: RuleID, path: String, range: Range<Int>) {
        self.rule = rule
        place = Place(path: path, range: range)
    }

    init(_ diagnostic: Diagnostic, _ catalog: SourceCatalog) {
        rule = diagnostic.rule
        place = diagnostic.span.map { Place($0, catalog) }
    }

    var description: String {
        "\(rule.rawValue) \(place.map { "\($0.path) \($0.range)" } ?? "nowhere")"
    }
}

extension Finding.Place {
    init(_ span: SourceSpan, _ catalog: SourceCatalog) {
        self.init(path: catalog.path(of: span.source), range: span.start..<span.end)
    }
}
