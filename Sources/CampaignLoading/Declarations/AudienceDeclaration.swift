package import CampaignModel
import Diagnostics
import YAMLSyntax

/// Whom a campaign says it addresses.
package enum AudienceReference: Sendable {
    case topic(Spanned<Topic>)
    case condition(Spanned<ConditionDeclaration>)
    case registrations(Spanned<ListReference>)
    /// The name of an `audience:` document.
    case named(AudienceID)
}

/// Where a list of registrations stands, as written.
package enum ListReference: Sendable {
    case file(String)
    case inline([Spanned<Registration>])

    /// The list that is meant.
    package var list: RegistrationList {
        switch self {
        case .file(let path): .file(path: path)
        case .inline(let registrations): .inline(registrations.map(\.value))
        }
    }
}

/// An `audience:` document as written.
package struct AudienceDeclaration: Sendable {
    package var audience: Spanned<AudienceID>?
    package var about: Spanned<String>?
    package var registrations: Spanned<ListReference>?
    package var subscribe: Spanned<[Spanned<Topic>]>?

    package init() {}

    package static let reader = MappingReader<AudienceDeclaration>(
        "an audience",
        [
            .required("audience", \.audience, .identifier()),
            .optional("about", \.about, .text),
            .required("registrations", \.registrations, .registrationList),
            .optional("subscribe", \.subscribe, .list(of: .topic)),
        ],
        notBuilt: [
            "test", "identity", "rejoin", "read", "transport", "source", "topic", "condition",
            "group", "labels", "owner",
        ]
    )
}

/// The keys of which an `audience:` mapping inside a campaign has exactly one.
struct AudienceChoice: Sendable {
    var topic: Spanned<Topic>?
    var condition: Spanned<ConditionDeclaration>?
    var registrations: Spanned<ListReference>?

    static let reader = MappingReader<AudienceChoice>(
        "`audience`",
        [
            .optional("topic", \.topic, .topic),
            .optional("condition", \.condition, .condition),
            .optional("registrations", \.registrations, .registrationList),
        ],
        notBuilt: ["group", "query", "all"]
    )
}

extension ValueReader where Value == AudienceReference {
    static let audienceReference = ValueReader { node, log in
        if node.scalar != nil {
            return ValueReader<AudienceID>.identifier().read(node, &log)
                .map(AudienceReference.named)
        }
        var choice = AudienceChoice()
        guard AudienceChoice.reader.read(node, into: &choice, &log) else { return nil }
        let given = (node.entries ?? []).filter { isKind($0.key.scalar?.text) }
        guard given.count <= 1 else {
            log.report(.severalAudiences(given))
            return nil
        }
        if (node.entries ?? []).isEmpty { log.report(.noAudience(at: node.span)) }
        return choice.topic.map(AudienceReference.topic)
            ?? choice.condition.map(AudienceReference.condition)
            ?? choice.registrations.map(AudienceReference.registrations)
    }

    private static func isKind(_ key: String?) -> Bool {
        key.map { AudienceChoice.reader.keys.contains($0) } ?? false
    }
}

extension ValueReader where Value == ListReference {
    static let registrationList = ValueReader { node, log in
        if let elements = node.elements {
            let registrations = elements.compactMap { element in
                ValueReader<Registration>.registration.read(element, &log).map {
                    Spanned($0, at: element.span)
                }
            }
            // A list that lost one is another list: nothing can be said of it.
            return registrations.count == elements.count ? .inline(registrations) : nil
        }
        if node.entries != nil {
            log.report(.notBuiltYet("file, kind and column", in: "`registrations`", at: node.span))
            return nil
        }
        guard let scalar = node.requireScalar("a path or a list", &log) else { return nil }
        guard !RegistrationConcealment.looksLikeRegistration(scalar.text) else {
            log.report(.registrationForPath(at: node.span))
            return nil
        }
        let isBuilt = ![".csv", ".ndjson", ".json"].contains { scalar.text.hasSuffix($0) }
        guard isBuilt else {
            log.report(.notBuiltYet(scalar.text, in: "`registrations`", at: node.span))
            return nil
        }
        return .file(scalar.text)
    }
}

extension Diagnostic {
    fileprivate static func severalAudiences(_ entries: [SyntaxEntry]) -> Diagnostic {
        let second = entries[1].key
        return Diagnostic(
            rule: .conflictingKeys,
            message: "an audience is exactly one of its kinds",
            span: second.span,
            label: "a second kind",
            related: [RelatedPlace(span: entries[0].key.span, message: "the first kind")],
            help: ["write one campaign for each, or join topics in a `condition`"]
        )
    }

    fileprivate static func noAudience(at span: SourceSpan) -> Diagnostic {
        Diagnostic(
            rule: .missingKey,
            message: "an audience is exactly one of its kinds",
            span: span,
            label: "needs `topic`, `condition` or `registrations`"
        )
    }

    fileprivate static func registrationForPath(at span: SourceSpan) -> Diagnostic {
        Diagnostic(
            rule: .wrongKind,
            message: "expected a path or a list, found a registration",
            span: span,
            label: "a registration",
            help: ["put it into brackets to make a list of it, or into a file"]
        )
    }
}
