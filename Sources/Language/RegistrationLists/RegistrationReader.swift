package import CampaignModel

/// Streams the registrations of a list; memory use does not depend on its length, except for a set.
///
/// A text file contains one registration per line. Empty lines, lines that begin with `#`, and a
/// byte order mark at the file's start are skipped.
package struct RegistrationReader: ~Copyable {
    private let rows: ListCursor
    /// The line of the last registration in its file, counted from 1.
    ///
    /// For an inline list, it is the number of the registration.
    package private(set) var line = 0

    /// `directory`: The base of relative paths, and the outputs of sources.
    ///
    /// - Throws: Only errors of the path; files are opened when they are read.
    package init(
        _ list: RegistrationList,
        directory: any ListPlaces
    ) throws(RegistrationListError) {
        rows = try ListCursor.open(list, directory: directory)
    }

    /// Returns the next registration, or what is wrong with the next line; nil at the end.
    package mutating func next() throws(RegistrationListError) -> Entry? {
        switch try rows.next() {
        case .row(let row)?:
            line = row.line
            return .registration(row.registration)
        case .broken(let fault)?:
            line = fault.number
            return .broken(fault)
        case nil: return nil
        }
    }

    package enum Entry {
        case registration(Registration)
        case broken(RegistrationListError.BrokenLine)
    }
}
