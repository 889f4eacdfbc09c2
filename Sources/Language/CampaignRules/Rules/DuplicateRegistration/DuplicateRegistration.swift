import CampaignLoading
import Diagnostics

extension Diagnostic {
    /// `firstPath`: The file of the first one, if the list has several files.
    static func duplicateRegistration(
        _ lines: (repeated: Int, first: Int),
        in path: String?,
        after firstPath: String?,
        count: Int,
        reference: Spanned<ListReference>
    ) -> Diagnostic {
        let (line, first) = lines
        let earlier = firstPath == path ? "line \(first)" : "\(firstPath ?? ""):\(first)"
        let place = path.map { "\($0):\(line) repeats the registration of \(earlier)" }
        let others = count > 1 ? ["\(count) lines repeat an earlier one"] : []
        return Diagnostic(
            rule: .duplicateRegistration,
            message: place ?? "registration \(line) repeats registration \(first)",
            span: reference.value.place(of: line) ?? reference.span,
            label: path == nil ? "the second" : "in this list",
            related: reference.value.place(of: first).map {
                [RelatedPlace(span: $0, message: "the first")]
            } ?? [],
            help: others + ["remove the repetition"]
        )
    }
}

extension ListReference {
    /// Returns the span of a registration of an inline list; numbers count from 1.
    fileprivate func place(of number: Int) -> SourceSpan? {
        guard case .inline(let registrations) = self, registrations.indices.contains(number - 1)
        else { return nil }
        return registrations[number - 1].span
    }
}
