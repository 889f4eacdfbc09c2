import Diagnostics
import YAMLSyntax

extension ValueReader {
    /// Reads a list; every element has the same reader.
    ///
    /// Unreadable elements are reported and omitted.
    package static func list<Element>(
        of element: ValueReader<Element>,
        atLeast minimum: Int = 0
    ) -> ValueReader<[Spanned<Element>]> where Value == [Spanned<Element>] {
        ValueReader(.list(of: element.schema, atLeast: minimum)) { node, log in
            guard let nodes = node.elements else {
                log.report(.wrongKind(node, expected: "a list"))
                return nil
            }
            guard nodes.count >= minimum else {
                log.report(.tooFew(minimum, at: node.span))
                return nil
            }
            return nodes.compactMap { node in
                element.read(node, &log).map { Spanned($0, at: node.span) }
            }
        }
    }

    /// Reads a mapping whose keys are names that the author chose.
    package static func named<Name, Content>(
        by name: ValueReader<Name>,
        of content: ValueReader<Content>
    ) -> ValueReader<[NamedEntry<Name, Content>]> where Value == [NamedEntry<Name, Content>] {
        ValueReader(.named(by: name.schema.textForm, content.schema)) { node, log in
            guard let entries = node.entries else {
                log.report(.wrongKind(node, expected: "a mapping"))
                return nil
            }
            return entries.compactMap { entry in
                guard let key = name.read(entry.key, &log) else { return nil }
                var own = DiagnosticLog()
                let value = content.read(entry.value, &own)
                log.absorb(own)
                return NamedEntry(
                    name: Spanned(key, at: entry.key.span),
                    content: value,
                    laterKeys: own.diagnostics.filter { $0.rule == .notBuiltYet }
                )
            }
        }
    }

    /// Reads a mapping with a fixed set of keys, starting from `empty`.
    package static func mapping(
        _ reader: MappingReader<Value>,
        from empty: Value
    ) -> ValueReader {
        ValueReader(.mapping(reader.schema)) { node, log in
            var value = empty
            return reader.read(node, into: &value, reportingTo: &log) ? value : nil
        }
    }
}

extension ValueSchema {
    fileprivate var textForm: TextForm {
        if case .text(let form) = self { form } else { .any }
    }
}

/// An entry of a mapping whose keys are names.
///
/// The content is nil if it could not be read. The name is still declared, so that one mistake is
/// not reported at every use.
package struct NamedEntry<Name: Sendable, Content: Sendable>: Sendable {
    package let name: Spanned<Name>
    package let content: Content?
    /// The keys in the content that are not implemented yet.
    let laterKeys: [Diagnostic]
}

extension Diagnostic {
    fileprivate static func tooFew(_ minimum: Int, at span: SourceSpan) -> Diagnostic {
        Diagnostic(
            rule: .numberOutOfRange,
            message: "this list is too short",
            span: span,
            label: "at least \(minimum) \(minimum == 1 ? "element" : "elements")"
        )
    }
}
