package import CampaignModel

/// Streams the registrations of a list without columns; memory use does not depend on its length.
///
/// Planning and sending use this reader, so lists with further settings are refused here. A file
/// contains one registration per line. Empty lines, lines that begin with `#`, and a byte order
/// mark at the file's start are skipped.
package struct RegistrationReader: ~Copyable {
    private var files: ListRowStream<TextRows>
    private var inline: InlineRows
    /// The line of the last registration in its file, counted from 1.
    ///
    /// For an inline list, it is the number of the registration.
    package private(set) var line = 0

    /// `directory`: The base of relative paths.
    ///
    /// - Throws: Only errors of the path; files are opened when they are read.
    package init(
        _ list: RegistrationList,
        directory: String
    ) throws(RegistrationListError) {
        var registrations: [Registration] = []
        switch list {
        case .inline(let inline): registrations = inline
        case .described(let file): throw .notBuilt(path: file.path)
        case .file: break
        }
        let paths = try ListFiles(of: list, in: directory)
        files = ListRowStream(of: paths, open: TextRows.init)
        inline = InlineRows(registrations)
    }

    /// Returns the next registration, or what is wrong with the next line; nil at the end.
    package mutating func next() throws(RegistrationListError) -> Entry? {
        switch try files.next() ?? inline.next() {
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
