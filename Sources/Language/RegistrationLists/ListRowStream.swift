import CampaignModel

/// The rows of all files of a list, one file after the other.
struct ListRowStream<Rows: ListRows & ~Copyable>: ~Copyable, ListRows {
    private let files: ListFiles?
    private let open: ((ListFile) throws(RegistrationListError) -> Rows)?
    /// The number of files that were opened.
    private(set) var openedCount = 0
    private var rows: Rows?
    /// The columns of the files that were read to their end.
    private(set) var columns: Set<String>?
    private var mergedCount = 0
    private var isMerged = false

    /// `open`: Opens a file when the stream reaches it.
    init(
        of files: ListFiles,
        open: @escaping (ListFile) throws(RegistrationListError) -> Rows
    ) {
        self.files = files
        self.open = open
        rows = nil
        isMerged = true
    }

    /// A stream of rows that are not in files.
    init(_ rows: consuming Rows) {
        files = nil
        open = nil
        self.rows = consume rows
    }

    mutating func next() throws(RegistrationListError) -> ListEntry? {
        while true {
            if let entry = try rows?.next() {
                guard case .broken(let line) = entry else { return entry }
                return .broken(line.of(path(ofFile: openedCount - 1)))
            }
            mergeColumns()
            guard let files, let open, openedCount < files.all.count else { return nil }
            rows = try open(files.all[openedCount])
            openedCount += 1
            isMerged = false
        }
    }

    private mutating func mergeColumns() {
        guard !isMerged else { return }
        isMerged = true
        let own = rows?.columns
        if mergedCount == 0 {
            columns = own
        } else if let earlier = columns, let own {
            columns = Rows.joinedColumns(earlier, own)
        } else {
            columns = nil
        }
        mergedCount += 1
    }

    /// The path of a file that was opened; nil unless the list is a pattern.
    func path(ofFile index: Int) -> String? {
        guard let files, files.isPattern, files.all.indices.contains(index) else { return nil }
        return files.all[index].path
    }
}
