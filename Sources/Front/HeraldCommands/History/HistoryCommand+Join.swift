import Applying
import CampaignModel
import Presentation
import RegistrationLists
import State

extension HistoryCommand {
    func show(
        _ run: RunOverview,
        joinedWith name: String,
        in state: EnvironmentState,
        reader: OverviewReader
    ) async throws(CommandFailure) {
        let list = try NamedList(name, in: state).list
        let names = try ColumnNames(columns, of: list).names
        let table = ListTable(list, columns: names, directory: options.directory)
        let join = try await joined(run, with: table, reader: reader)
        let number = run.run.id.number
        sayCompacted(join)
        guard join.count > 0 else {
            throw CommandFailure(.noListSends(in: number))
        }
        let view = TableView(format.table, requestsOf: run.run.id, columns: names)
        try await write(join, in: view)
        sayUnjoinable(join, with: name)
        guard join.unjoinable.count < join.count else {
            throw CommandFailure(.noJoin(of: number, with: name))
        }
    }

    private func sayCompacted(_ join: RunJoin) {
        for occurrence in join.compacted {
            options.tell(JoinWording.compacted(occurrence))
        }
    }

    private func sayUnjoinable(_ join: RunJoin, with name: String) {
        for occurrence in join.unjoinable {
            options.tell(JoinWording.unjoinable(occurrence, with: name))
        }
    }

    private func joined(
        _ run: RunOverview,
        with table: ListTable,
        reader: OverviewReader
    ) async throws(CommandFailure) -> RunJoin {
        do {
            return try await RunJoin(of: run, table: table, reader: reader)
        } catch {
            switch error {
            case .list(let error): throw CommandFailure(ErrorText(error))
            case .state(let error): throw CommandFailure(ErrorText(error))
            }
        }
    }

    private func write(
        _ join: RunJoin,
        in view: TableView<RunID, JoinedRequest>
    ) async throws(CommandFailure) {
        Output.data(view.begin)
        let lines = LineBuffer()
        var isFirst = true
        try await mapStateErrors { () async throws(StateStoreError) in
            try await join.forEachRequest { request in
                lines.append(view.row(request, columns: request.values, isFirst: isFirst))
                isFirst = false
            }
        }
        lines.flush()
        Output.data(view.end(isEmpty: isFirst))
    }
}

extension HistoryCommand.Format {
    var table: TableFormat {
        switch self {
        case .text: .text
        case .json: .json
        case .ndjson: .ndjson
        case .csv: .csv
        }
    }
}
