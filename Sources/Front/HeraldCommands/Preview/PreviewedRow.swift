import Applying
import ArgumentParser
import CampaignMessages
import CampaignModel
import Presentation
import RegistrationLists

/// The options that choose a row of a campaign's list.
struct RowOptions: ParsableArguments {
    @Option(help: ArgumentHelp("Row of the list, from 1.", valueName: "n"))
    var row: Int?

    @Option(
        help: ArgumentHelp(
            "Row of a registration: a fingerprint; or @FILE or - (standard input) with one "
                + "fingerprint or registration.",
            valueName: "fingerprint|@file|-"
        )
    )
    var registration: String?

    var isEmpty: Bool { row == nil && registration == nil }

    func validate() throws {
        guard row == nil || registration == nil else {
            throw ValidationError("--row cannot be combined with --registration")
        }
        if let row, row < 1 { throw ValidationError("rows count from 1") }
    }
}

/// The row of a campaign's list that a preview shows.
struct PreviewedRow {
    let options: RowOptions
    let session: Session
    let environment: EnvironmentOptions

    /// Returns nil if no option chooses a row.
    func find(
        of campaign: Campaign,
        in project: Project,
        surveys: ListSurveys
    ) async throws(CommandFailure) -> ListRowSearch.Found? {
        guard options.row != nil || options.registration != nil else { return nil }
        guard case .registrations(let list) = campaign.target else {
            throw CommandFailure(.noList(of: campaign.id.rawValue), exit: .usage)
        }
        let search = ListRowSearch(
            ListContent(list, columns: project.columns(of: campaign)),
            directory: session.options.directory
        )
        if let row = options.row { return try find(row, by: search, surveys[list]) }
        let isMeant = try await registration()
        let found = try mapListErrors { () throws(RegistrationListError) in
            try search.first { _, registration in isMeant(registration) }
        }
        guard let found else { throw CommandFailure(.unknownRegistration, exit: .usage) }
        return found
    }

    private func find(
        _ row: Int,
        by search: ListRowSearch,
        _ survey: ListSurveys.Survey?
    ) throws(CommandFailure) -> ListRowSearch.Found {
        try mapListErrors { () throws(RegistrationListError) in _ = try survey?.get() }
        let found = try mapListErrors { () throws(RegistrationListError) in
            try search.first { number, _ in number == row }
        }
        if let found { return found }
        let count = (try? survey?.get())?.count ?? 0
        throw CommandFailure(.noRow(row, inListOf: count), exit: .usage)
    }

    /// Reads the value of `--registration`.
    ///
    /// Reads the state's key only for a fingerprint.
    private func registration() async throws(CommandFailure) -> (Registration) -> Bool {
        let option = "the value of --registration"
        let named = Set(try RegistrationArguments.read(options.registration ?? "", of: option))
        guard named.count == 1, let only = named.first else {
            throw CommandFailure(.severalRegistrations(named.count, in: option), exit: .usage)
        }
        switch only {
        case .registration(let registration): return { $0 == registration }
        case .fingerprint(let short):
            let state = try EnvironmentState(in: session, chosen: environment)
            guard let store = try await state.openIfThere() else {
                throw CommandFailure(.noStateKey(of: state.environment))
            }
            let fingerprinter = try await state.reader(of: store).fingerprinter
            return { fingerprinter.fingerprint(of: $0).high == short }
        }
    }
}

extension ListRowSearch.Found {
    /// - Throws: A failure if the row has no value for a placeholder of the campaign's text, which
    ///   is then the text of another locale than the row's.
    func requireValues(of campaign: Campaign) throws(CommandFailure) {
        guard let missing = campaign.usedColumns.first(where: { values[$0] == nil }) else { return }
        throw CommandFailure(.rowWithoutValue(number, column: missing), exit: .usage)
    }
}
