package import Testing

/// The statements of FCM's documents that a test shows, by their ids in
/// `Tests/Coverage/statements.tsv`.
///
/// A test shows a statement if it fails where Herald or its emulator breaks the statement. At run
/// time the trait does nothing: `Scripts/coverage-table.py` reads it in the source, so the ids are
/// written out in quotes.
package struct Covers: TestTrait, SuiteTrait {
    package let statements: [String]
}

extension Trait where Self == Covers {
    package static func covers(_ statements: String...) -> Self { Covers(statements: statements) }
}
