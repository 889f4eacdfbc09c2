import CampaignModel
import Diagnostics

extension ProjectResolver {
    /// Refuses registrations in files of a project that reaches real devices.
    ///
    /// The lists of audiences with `test: true` and the emulator's own devices are allowed. Files
    /// with other errors are not checked, because a misspelled key may have allowed the
    /// registrations.
    ///
    /// `declarations`: those of all environments.
    mutating func checkRegistrations(in declarations: Declarations) {
        let environments = declarations.project?.environments?.value ?? []
        guard let real = environments.first(where: { $0.content?.fcm != nil }) else { return }
        let broken = Set(log.errors.compactMap { $0.span?.source })
        guard !broken.contains(SourceID(index: 0)) else { return }
        let environment = real.name.value.rawValue
        let lists = declarations.inlineLists
        for list in lists where !list.isForTests && !broken.contains(list.span.source) {
            log.report(.listInFile(at: list.span, environment: environment))
        }
        let known = SpanIndex(lists.map(\.span) + declarations.devices.map(\.span))
        for place in declarations.registrations
        where !broken.contains(place.source) && !known.holds(place) {
            log.report(.registrationInFile(at: place, environment: environment))
        }
    }
}

extension Declarations {
    /// The inline lists of the files.
    fileprivate var inlineLists: [(span: SourceSpan, isForTests: Bool)] {
        let audiences = audiences.compactMap { audience in
            audience.value.registrations.flatMap { list in
                list.value.isInline ? (list.span, audience.value.test?.value ?? false) : nil
            }
        }
        let campaigns: [(span: SourceSpan, isForTests: Bool)] =
            campaigns.compactMap { campaign in
                guard case .registrations(let list) = campaign.value.audience?.value,
                    list.value.isInline
                else { return nil }
                return (list.span, false)
            }
        return audiences + campaigns
    }
}

extension ListReference {
    fileprivate var isInline: Bool {
        if case .inline = self { true } else { false }
    }
}

extension Diagnostic {
    fileprivate static func listInFile(
        at span: SourceSpan,
        environment: String
    ) -> Diagnostic {
        Diagnostic(
            rule: .registrationInFile,
            message: "a file contains registrations, and `\(environment)` reaches real devices",
            span: span,
            label: "anyone who can read the file can see them",
            help: [
                "move them to a list that is not committed, and write its path",
                "registrations of your own people may be in an `audience:` document with `test: "
                    + "true`",
            ]
        )
    }

    fileprivate static func registrationInFile(
        at span: SourceSpan,
        environment: String
    ) -> Diagnostic {
        Diagnostic(
            rule: .registrationInFile,
            message: "a file contains a registration, and `\(environment)` reaches real devices",
            span: span,
            label: "looks like a registration",
            help: ["move it to a list that is not committed"]
        )
    }
}
