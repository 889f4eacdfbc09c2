import CampaignModel
import Diagnostics

/// A `registrations:` mapping with a source, whose format is known only from the project file.
package struct SourcedList: Sendable {
    let source: Spanned<ListSourceID>
    private let declaration: ListDeclaration

    init(_ source: Spanned<ListSourceID>, _ declaration: ListDeclaration) {
        self.source = source
        self.declaration = declaration
    }

    /// The first column that it names; nil if it names none.
    var firstColumn: Spanned<String>? {
        [
            declaration.column, declaration.identity, declaration.locale, declaration.timeZone,
            declaration.publicKey, declaration.covariate,
        ].compactMap(\.self).first
    }

    func file(as format: RegistrationFile.Format) -> RegistrationFile {
        declaration.file(
            RegistrationFile.path(of: source.value),
            format: format,
            source: source.value
        )
    }
}
