package import CampaignModel

/// Searches a list for one row, with defaults in place of missing values.
package struct ListRowSearch: Sendable {
    private let content: ListContent
    private let directory: any ListPlaces

    /// What a message shows to a row.
    package struct Found: Sendable {
        /// From 1, without the header line.
        package let number: Int
        /// The values of the columns that any text of the message uses, with defaults.
        ///
        /// A column without a value is omitted.
        package let values: [String: String]
        /// The row's locale, or the default of the column; nil if the message has no locales, or
        /// the row has none.
        package let locale: Locale?
        /// What the person of the row gets; nil without an experiment and a hold-out.
        package let arm: ExperimentArm?
    }

    /// `directory`: The base of relative paths.
    package init(_ content: ListContent, directory: any ListPlaces) {
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
        let others = OtherColumns(of: [content.columns].compactMap(\.self))
        let rows = try ListCursor.open(content.list, others: others, directory: directory)
        var number = 0
        while let entry = try rows.next() {
            switch entry {
            case .broken(let line):
                let path = line.path ?? content.list.path ?? ""
                throw .brokenLines([line], path: path, count: 1)
            case .row(let row):
                number += 1
                guard matches(number, row.registration) else { continue }
                return found(row, number: number, among: others.names)
            }
        }
        return nil
    }

    private func found(_ row: ListRow, number: Int, among names: [String]) -> Found {
        guard let columns = content.columns else {
            return Found(number: number, values: [:], locale: nil, arm: nil)
        }
        var values: [String: String] = [:]
        for (name, own) in zip(names, row.values) where columns.names.contains(name) {
            values[name] = own.isEmpty ? columns.defaults[name] : own
        }
        let locale = RowResolver(columns, in: names).locale(of: row)
        let arm = columns.experiment.map { experiment in
            ExperimentAssignment(experiment.design)
                .arm(of: row.identity ?? row.registration.token)
        }
        return Found(number: number, values: values, locale: Locale(locale), arm: arm)
    }
}
