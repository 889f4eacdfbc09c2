import CampaignModel

/// Streams the rows of a list of any format and of any number of files.
///
/// A class, so that readers of all formats have one type.
class ListCursor {
    /// The names of the columns seen; nil if there are none, or too many.
    var columns: Set<String>? { nil }
    /// The number of files that were opened; for a set, that have rows in it.
    var openedCount: Int { 0 }
    /// At the end of a set, the digest of its lists; nil for another list.
    var digest: ListID? { nil }
    /// At the end of a set, how many rows of its lists are in it; nil for another list.
    var composition: ListComposition? { nil }

    /// Returns the next row, or what is wrong with it; nil at the end.
    func next() throws(RegistrationListError) -> ListEntry? { nil }

    /// The path of a file that was opened; nil unless the list is a pattern or a set.
    func path(ofFile index: Int) -> String? { nil }

    /// Finds the files of a list; each is opened when the cursor reaches it.
    ///
    /// `others`: further columns, in the order of each row's values. `fingerprinter`: that of the
    /// state, which the digest of a set needs.
    static func open(
        _ list: RegistrationList,
        others: OtherColumns = OtherColumns(),
        directory: any ListPlaces,
        fingerprinter: Fingerprinter? = nil
    ) throws(RegistrationListError) -> ListCursor {
        let files = try ListFiles(of: list, in: directory)
        switch list {
        case .inline(let registrations):
            return ListRowsCursor(ListRowStream(InlineRows(registrations)))
        case .file: return ListRowsCursor(ListRowStream(of: files, open: TextRows.init))
        case .described(let file):
            switch file.format {
            case .text: return ListRowsCursor(ListRowStream(of: files, open: TextRows.init))
            case .csv:
                return ListRowsCursor(
                    ListRowStream(of: files) { (one) throws(RegistrationListError) in
                        try CSVRows(one, of: file, others: others)
                    }
                )
            case .ndjson:
                return ListRowsCursor(
                    ListRowStream(of: files) { (one) throws(RegistrationListError) in
                        try NDJSONRows(one, of: file, others: others)
                    }
                )
            }
        case .set(let set):
            for source in list.sources where directory.output(of: source) == nil {
                throw .sourceNotRead(source)
            }
            let reading = SetReading(directory: directory, identifier: fingerprinter)
            return SetCursor(set, others: others, reading: reading)
        }
    }
}

private final class ListRowsCursor<Rows: ListRows & ~Copyable>: ListCursor {
    private var rows: ListRowStream<Rows>

    init(_ rows: consuming ListRowStream<Rows>) {
        self.rows = rows
    }

    override var columns: Set<String>? { rows.columns }
    override var openedCount: Int { rows.openedCount }

    override func next() throws(RegistrationListError) -> ListEntry? { try rows.next() }

    override func path(ofFile index: Int) -> String? { rows.path(ofFile: index) }
}
