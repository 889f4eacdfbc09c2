import CampaignModel
import PostgresClient
import Presentation
import RegistrationLists

/// Runs the query of a source and stores its rows as CSV.
struct QuerySourceReader {
    let source: ListSource
    let query: SourceQuery
    let situation: SourceSituation

    func read() throws(CommandFailure) -> SourceOutput {
        let address = try situation.values(of: [query.variable], for: source.id)
        let spool = try SourceSpool(of: source.id, in: situation.folder)
        do throws(PostgresError) {
            try write(to: spool, from: address[query.variable] ?? "")
        } catch {
            throw spool.failure ?? failure(error)
        }
        return try spool.finish()
    }

    private func write(to spool: SourceSpool, from text: String) throws(PostgresError) {
        let limit = Duration.seconds(source.timeout)
        let patience = PostgresPatience(until: .now + limit, isStopped: situation.isStopped)
        let address = try PostgresAddress(text, variables: situation.variables)
        let connection = try PostgresConnection.open(to: address, within: patience)
        var line = CSVLine()
        try PostgresQuery(query.text, limit: limit).forEachRow(
            on: connection,
            within: patience,
            begin: { columns in
                for column in columns { line.append(Array(column.utf8)) }
                return spool.append(line.finish())
            },
            visit: { row in
                for column in 0..<row.columnCount { line.append(row.value(of: column) ?? []) }
                return spool.append(line.finish())
            }
        )
    }

    private func failure(_ error: PostgresError) -> CommandFailure {
        switch error {
        case .noLibrary(let detail):
            CommandFailure(.noPostgresLibrary(source.id, detail: detail))
        case .malformedAddress:
            CommandFailure(.malformedDatabase(source.id, variable: query.variable))
        case .unreachable(let message):
            CommandFailure(.unreachableDatabase(source.id, because: message))
        // The server stopped the query (PostgreSQL documentation, Error Codes, query_canceled).
        case .timedOut, .refused(_, state: "57014"):
            CommandFailure(.slowQuery(source.id, limit: source.timeout))
        case .refused(let message, let state):
            CommandFailure(.failedQuery(source.id, because: message, state: state))
        case .stopped: CommandFailure(.interruptedSource(source.id), exit: .interrupted)
        }
    }
}
