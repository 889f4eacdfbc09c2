package import Testing

/// The statements of the FCM documents that a test verifies, by their IDs in
/// `Tests/Coverage/statements.tsv`.
///
/// A test verifies a statement if it fails when Herald or its emulator violates the statement. At
/// run time the trait does nothing: `Scripts/coverage-table.py` reads it in the source, so the IDs
/// must be literals in quotes.
package struct Covers: TestTrait, SuiteTrait {
    package let statements: [String]
}

extension Trait where Self == Covers {
    package static func covers(_ statements: String...) -> Self { Covers(statements: statements) }
}
