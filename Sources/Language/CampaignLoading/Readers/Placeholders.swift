import CampaignModel
import Diagnostics
import YAMLSyntax

extension SyntaxNode {
    /// The faults of the texts that contain `{{` and are not valid templates.
    var templateFaults: [(fault: TextTemplate.Fault, span: SourceSpan)] {
        var faults: [(TextTemplate.Fault, SourceSpan)] = []
        collectFaults(&faults)
        return faults
    }

    private func collectFaults(_ faults: inout [(TextTemplate.Fault, SourceSpan)]) {
        switch content {
        case .scalar(let scalar):
            guard scalar.text.utf8.contains(UInt8(ascii: "{")) else { return }
            do throws(TextTemplate.Fault) {
                _ = try TextTemplate(parsing: scalar.text)
            } catch {
                faults.append((error, span(ofText: error.range)))
            }
        case .sequence(let nodes):
            for node in nodes { node.collectFaults(&faults) }
        case .mapping(let entries):
            for place in entries.indices { entries[place].value.collectFaults(&faults) }
        }
    }
}

extension ProjectResolver {
    /// Reports texts of messages to lists in which a placeholder is not complete.
    ///
    /// For other audiences, nothing ever fills placeholders; a rule reports that.
    mutating func checkTemplates(in campaign: CampaignDeclaration) {
        switch campaign.audience?.value {
        case .topic, .condition, .group: return
        case .registrations, .named, nil: break
        }
        let variants = campaign.variants?.value.compactMap { $0.content?.message?.value } ?? []
        let locales = campaign.locales?.value.compactMap(\.content) ?? []
        for message in [campaign.message?.value].compactMap({ $0 }) + variants + locales {
            for (fault, span) in message.templateFaults {
                log.report(.faultyTemplate(fault.kind, at: span))
            }
        }
    }
}

extension Diagnostic {
    fileprivate static func faultyTemplate(
        _ kind: TextTemplate.Fault.Kind,
        at span: SourceSpan
    ) -> Diagnostic {
        let (message, label) =
            switch kind {
            case .unclosed: ("`{{` has no `}}`", "begins a placeholder")
            case .unnamed: ("the placeholder names no column", "without a name")
            case .badName: ("the placeholder does not name a column", "has another brace inside")
            }
        return Diagnostic(
            rule: .unrenderedPlaceholder,
            message: message,
            span: span,
            label: label,
            help: ["write `{{column}}` with the name of a column of the list"]
        )
    }
}
