import Diagnostics
import YAMLSyntax

extension SyntaxNode {
    /// The first `{{` of every text; a later version replaces it with a column of the list.
    var placeholders: [SourceSpan] {
        var places: [SourceSpan] = []
        collectPlaceholders(&places)
        return places
    }

    private func collectPlaceholders(_ places: inout [SourceSpan]) {
        switch content {
        case .scalar(let scalar):
            if let place = scalar.text.placeholder { places.append(span(ofText: place)) }
        case .sequence(let nodes):
            for node in nodes { node.collectPlaceholders(&places) }
        case .mapping(let entries):
            for place in entries.indices { entries[place].value.collectPlaceholders(&places) }
        }
    }
}

extension String {
    /// The range of the first `{{`, in UTF-8 bytes.
    fileprivate var placeholder: Range<Int>? {
        var text = self
        return text.withUTF8 { bytes in
            let brace = UInt8(ascii: "{")
            var last: UInt8 = 0
            for (index, byte) in bytes.enumerated() {
                if byte == brace, last == brace { return index - 1..<index + 1 }
                last = byte
            }
            return nil
        }
    }
}

extension ProjectResolver {
    /// Refuses placeholders for columns of a list, because recipients would receive the
    /// placeholders.
    ///
    /// For other audiences, nothing ever fills them; a rule reports that.
    mutating func refusePlaceholders(in campaign: CampaignDeclaration) {
        switch campaign.audience?.value {
        case .topic, .condition, .group: return
        case .registrations, .named, nil: break
        }
        let variants = campaign.variants?.value.compactMap { $0.content?.message?.value } ?? []
        let locales = campaign.locales?.value.compactMap(\.content) ?? []
        for message in [campaign.message?.value].compactMap({ $0 }) + variants + locales {
            for place in message.placeholders { log.report(.placeholder(at: place)) }
        }
    }
}

extension Diagnostic {
    fileprivate static func placeholder(at span: SourceSpan) -> Diagnostic {
        Diagnostic(
            rule: .notBuiltYet,
            message: "`{{` is not supported yet",
            span: span,
            label: "would be replaced by a column of the list",
            help: ["write the text itself: Herald rejects placeholders that it cannot fill"]
        )
    }
}
