import CampaignModel
package import Diagnostics
import YAMLSyntax

extension ProjectResolver {
    /// Returns the lists of the audiences; those that cannot be formed are omitted.
    mutating func resolveLists() -> [AudienceID: RegistrationList] {
        var lists = AudienceLists(declarations.audiences)
        let resolved = lists.all()
        log.absorb(lists.log)
        unknownNames += lists.unknownNames.map(UnknownName.setPart)
        return resolved
    }

    /// Returns a campaign's target without the rows of the lists that it excludes, and with its canary.
    ///
    /// nil if one of them is unknown.
    mutating func target(
        _ target: AudienceTarget?,
        of campaign: CampaignDeclaration,
        lists: [AudienceID: RegistrationList]
    ) -> AudienceTarget? {
        let own = withoutExcluded(target, of: campaign, lists: lists)
        guard let canary = campaign.rollout?.value.canary, case .registrations(let list)? = own,
            let audience = campaign.audience
        else { return own }
        guard let first = lists[canary.value] else {
            unknownNames.append(.setPart(canary))
            return nil
        }
        guard checkCanary(canary, first, before: list) else { return nil }
        var name: AudienceID?
        if case .named(let id) = audience.value, campaign.exclude == nil { name = id }
        let rest = SetPart(part: ListSet.Part(name, list: list), span: audience.span)
        return SetParts(
            .union,
            of: [SetPart(canary, list: first), rest],
            except: [],
            at: canary.span
        )
        .formed(reportingTo: &log).map(AudienceTarget.registrations)
    }

    private mutating func withoutExcluded(
        _ target: AudienceTarget?,
        of campaign: CampaignDeclaration,
        lists: [AudienceID: RegistrationList]
    ) -> AudienceTarget? {
        guard let excluded = campaign.exclude, !excluded.value.isEmpty,
            case .registrations(let list)? = target, let audience = campaign.audience
        else { return target }
        reportRepetitions(in: excluded.value)
        let parts = excluded.value.compactMap { name -> SetPart? in
            guard let list = lists[name.value] else {
                unknownNames.append(.setPart(name))
                return nil
            }
            return SetPart(name, list: list)
        }
        guard parts.count == excluded.value.count else { return nil }
        var name: AudienceID?
        if case .named(let id) = audience.value { name = id }
        let own = SetPart(part: ListSet.Part(name, list: list), span: audience.span)
        return SetParts(.union, of: [own], except: parts, at: excluded.span)
            .formed(reportingTo: &log).map(AudienceTarget.registrations)
    }

    private mutating func reportRepetitions(in names: [Spanned<AudienceID>]) {
        var seen = NameTable()
        for name in names {
            _ = seen.add(name.value.rawValue, as: "audience", at: name.span, reportingTo: &log)
        }
    }
}

extension AudienceDeclaration {
    /// Whether all its registrations come from other audiences.
    var isSet: Bool { registrations == nil && (union != nil || allOf != nil) }

    /// The span of the keys that decide its registrations.
    package var listSpan: SourceSpan? {
        registrations?.span ?? union?.span ?? allOf?.span
    }
}

/// Forms the lists of audiences; each is formed when it is first needed.
private struct AudienceLists {
    private(set) var log = DiagnosticLog()
    private(set) var unknownNames: [Spanned<AudienceID>] = []
    private let names: [AudienceID]
    private let declared: [AudienceID: AudienceDeclaration]
    /// nil for an audience whose list cannot be formed.
    private var known: [AudienceID: RegistrationList?] = [:]
    /// The audiences that are being formed, the outermost first.
    private var path: [AudienceID] = []

    init(_ audiences: [Spanned<AudienceDeclaration>]) {
        let named = audiences.compactMap { audience in
            audience.value.audience.map { ($0.value, audience.value) }
        }
        names = named.map(\.0)
        declared = Dictionary(named) { first, _ in first }
    }

    mutating func all() -> [AudienceID: RegistrationList] {
        var lists: [AudienceID: RegistrationList] = [:]
        for name in names { lists[name] = list(of: name) }
        return lists
    }

    private mutating func list(of id: AudienceID) -> RegistrationList? {
        if let known = known[id] { return known }
        guard let declaration = declared[id] else { return nil }
        path.append(id)
        defer { path.removeLast() }
        let list = formed(declaration)
        known.updateValue(list, forKey: id)
        return list
    }

    /// Errors of a list in the set are reported at its own audience.
    private mutating func formed(_ declaration: AudienceDeclaration) -> RegistrationList? {
        let own = declaration.registrations.map {
            SetPart(part: ListSet.Part(list: $0.value.list), span: $0.span)
        }
        guard let span = declaration.except?.span ?? declaration.listSpan,
            declaration.isSet || declaration.except?.value.isEmpty == false
        else { return own?.part.list }
        guard path.count <= ListSet.deepestNesting else {
            log.report(.deepSet(at: span))
            return nil
        }
        let named = declaration.union?.value ?? declaration.allOf?.value ?? []
        let parts = own.map { [$0] } ?? self.parts(named)
        let excluded = self.parts(declaration.except?.value ?? [])
        guard let parts, let excluded, !parts.isEmpty else { return nil }
        let operation: ListSet.Operation =
            declaration.registrations == nil && declaration.union == nil ? .allOf : .union
        return SetParts(operation, of: parts, except: excluded, at: span)
            .formed(reportingTo: &log)
    }

    /// nil if one of them is unknown.
    private mutating func parts(_ names: [Spanned<AudienceID>]) -> [SetPart]? {
        var seen = NameTable()
        var parts: [SetPart] = []
        var isWhole = true
        for name in names {
            let text = name.value.rawValue
            guard seen.add(text, as: "audience", at: name.span, reportingTo: &log) else { continue }
            if let part = part(name) { parts.append(part) } else { isWhole = false }
        }
        return isWhole ? parts : nil
    }

    private mutating func part(_ name: Spanned<AudienceID>) -> SetPart? {
        if let start = path.firstIndex(of: name.value) {
            log.report(.cyclicSet(path[start...] + [name.value], at: name.span))
            return nil
        }
        guard declared[name.value] != nil else {
            unknownNames.append(name)
            return nil
        }
        return list(of: name.value).map { SetPart(name, list: $0) }
    }
}

/// A list of a set, and the span that names it.
private struct SetPart {
    let part: ListSet.Part
    let span: SourceSpan

    var kind: RegistrationFile.Kind { part.list.kind }

    init(part: ListSet.Part, span: SourceSpan) {
        self.part = part
        self.span = span
    }

    init(_ name: Spanned<AudienceID>, list: RegistrationList) {
        self.init(part: ListSet.Part(name.value, list: list), span: name.span)
    }
}

/// The lists of a set before they are checked.
private struct SetParts {
    private let operation: ListSet.Operation
    private let parts: [SetPart]
    private let excluded: [SetPart]
    private let span: SourceSpan

    init(
        _ operation: ListSet.Operation,
        of parts: [SetPart],
        except excluded: [SetPart],
        at span: SourceSpan
    ) {
        self.operation = operation
        self.parts = parts
        self.excluded = excluded
        self.span = span
    }

    /// nil after a report.
    func formed(reportingTo log: inout DiagnosticLog) -> RegistrationList? {
        let all = parts + excluded
        if let first = all.first, let other = all.first(where: { $0.kind != first.kind }) {
            log.report(.mixedSet(other, after: first))
            return nil
        }
        let list = RegistrationList.set(
            ListSet(operation, of: parts.map(\.part), except: excluded.map(\.part))
        )
        let count = list.leaves.count
        guard count <= ListSet.mostLists else {
            log.report(.longSet(count, at: span))
            return nil
        }
        guard list.nesting <= ListSet.deepestNesting else {
            log.report(.deepSet(at: span))
            return nil
        }
        return list
    }
}

extension Diagnostic {
    /// `path`: the sets from one to the same one.
    fileprivate static func cyclicSet(
        _ path: [AudienceID],
        at span: SourceSpan
    ) -> Diagnostic {
        let first = path.first?.rawValue ?? ""
        return Diagnostic(
            rule: .listSet,
            message: "the set `\(first)` contains itself: "
                + path.map(\.rawValue).joined(separator: " → "),
            span: span,
            label: "leads back to `\(first)`",
            help: ["remove one of these names from its set"]
        )
    }

    fileprivate static func mixedSet(_ other: SetPart, after first: SetPart) -> Diagnostic {
        Diagnostic(
            rule: .listSet,
            message: "a set cannot mix registration tokens and installation IDs",
            span: other.span,
            label: "has `kind: \(other.kind.rawValue)`",
            related: [
                RelatedPlace(span: first.span, message: "has `kind: \(first.kind.rawValue)`")
            ],
            help: ["write one set for each kind"]
        )
    }

    fileprivate static func longSet(_ count: Int, at span: SourceSpan) -> Diagnostic {
        Diagnostic(
            rule: .listSet,
            message: "the set has \(count) lists, and the maximum is \(ListSet.mostLists)",
            span: span,
            label: "includes the lists of the sets in it",
            help: ["name fewer lists, or read several files as one list with a pattern"]
        )
    }

    fileprivate static func deepSet(at span: SourceSpan) -> Diagnostic {
        Diagnostic(
            rule: .listSet,
            message: "more than \(ListSet.deepestNesting) sets are in each other",
            span: span,
            label: "this set is too deep",
            help: ["name the lists themselves instead of a set of sets"]
        )
    }
}
