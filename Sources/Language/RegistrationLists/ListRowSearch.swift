package import CampaignModel

/// Searches a list for one row, with defaults in place of missing values.
package struct ListRowSearch: Sendable {
    private let content: ListContent
    private let directory: String

    /// A row and its number.
    package struct Found: Sendable {
        /// From 1, without the header line.
        package let number: Int
        package let row: RegistrationRow
    }

    /// `directory`: The base of relative paths.
    package init(_ content: ListContent, directory: String) {
        self.content = content
        self.directory = directory
    }

    /// Returns the first row that matches; nil if there is none.
    ///
    /// - Throws: `.unreadable`, `.missingColumn`, and `.brokenLines` for a broken line before the
    ///   row.
    package func first(
        where matches: (_ number: Int, Registration) -> Bool
    ) throws(RegistrationListError) -> Found? {
        let rows = try ListCursor.open(
            content.list,
            columns: content.names,
            requiringAll: false,
            directory: directory
        )
        var number = 0
        while let entry = try rows.next() {
            switch entry {
            case .broken(let line):
                let path = line.path ?? content.list.path ?? ""
                throw .brokenLines([line], path: path, count: 1)
            case .row(let row):
                number += 1
                guard matches(number, row.registration) else { continue }
                let values = content.columns?.completed(row.values) ?? []
                return Found(
                    number: number,
                    row: RegistrationRow(row.registration, values: values)
                )
            }
        }
        return nil
    }
}
