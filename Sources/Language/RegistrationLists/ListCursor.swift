import CampaignModel

/// Streams the rows of a list of any format.
///
/// A class, so that readers of all formats have one type.
class ListCursor {
    /// The names of the columns seen; nil if there are none, or too many.
    var columns: Set<String>? { nil }

    /// Returns the next row, or what is wrong with it; nil at the end.
    func next() throws(RegistrationListError) -> ListEntry? { nil }

    /// Opens a list at its first row.
    ///
    /// `columns`: the names of further columns, in the order of each row's values. `requiringAll`:
    /// whether the first object of an NDJSON file must have all of them.
    static func open(
        _ list: RegistrationList,
        columns: [String] = [],
        requiringAll requiresAll: Bool = true,
        directory: String
    ) throws(RegistrationListError) -> ListCursor {
        guard case .described(let file) = list else {
            return ListRowsCursor(try TextRows(list, directory: directory))
        }
        switch file.format {
        case .text:
            let text = RegistrationList.file(path: file.path)
            return ListRowsCursor(try TextRows(text, directory: directory))
        case .csv:
            return ListRowsCursor(try CSVRows(file, directory: directory, columns: columns))
        case .ndjson:
            return ListRowsCursor(
                try NDJSONRows(
                    file,
                    directory: directory,
                    columns: columns,
                    requiringAll: requiresAll
                )
            )
        }
    }
}

private final class ListRowsCursor<Rows: ListRows & ~Copyable>: ListCursor {
    private var rows: Rows

    init(_ rows: consuming Rows) {
        self.rows = rows
    }

    override var columns: Set<String>? { rows.columns }

    override func next() throws(RegistrationListError) -> ListEntry? { try rows.next() }
}
