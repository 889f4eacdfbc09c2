import CampaignModel
import Presentation
import State
import StoreTables
import Time

extension HistoryCommand {
    /// The number of runs to read at a time.
    private static let page = 256

    func show(
        runsOf store: any TableStore,
        in state: EnvironmentState,
        verdict: ChainVerdict
    ) async throws(CommandFailure) {
        // Read first, so that a run that ends in between is not shown as active.
        let isWriting = try await mapStateErrors { () async throws(StateStoreError) in
            try await store.currentWriter() != .nobody
        }
        let json = HistoryJSONView(verdict)
        if format == .json { Output.data(json.listHead) }
        var left = limit
        var newest: RunID?
        var last: RunID?
        while left > 0 {
            let runs = try await mapStateErrors { () async throws(StateStoreError) in
                try await store.runs(before: last, limit: min(left, Self.page))
            }
            newest = newest ?? runs.first?.id
            let page = RunPage(runs: runs, newest: newest, isWriting: isWriting)
            show(page, in: state, verdict: verdict)
            guard let end = runs.last else { break }
            left -= runs.count
            last = end.id
        }
        if format == .json { Output.data(json.listEnd(isEmpty: newest == nil)) }
        if format == .text, newest != nil {
            Output.data(ChainTextView(style: options.outputStyle).renderHead(verdict))
        }
    }

    /// Some of the runs, which are read together.
    private struct RunPage {
        let runs: [RunRecord]
        /// The newest run of the whole output; nil if there are none.
        let newest: RunID?
        let isWriting: Bool
    }

    private func show(_ page: RunPage, in state: EnvironmentState, verdict: ChainVerdict) {
        let (runs, newest, isWriting) = (page.runs, page.newest, page.isWriting)
        let isFirst = runs.first?.id == newest
        let json = HistoryJSONView(verdict)
        switch format {
        case .text where !runs.isEmpty || isFirst:
            let text = textView(state)
            Output.data(text.render(runs, isWriting: isWriting, newest: newest, verdict: verdict))
        case .json:
            for (place, run) in runs.enumerated() {
                let isHead = isFirst && place == 0
                Output.data(json.listItem(run, isWriting: isWriting, isFirst: isHead))
            }
        case .ndjson:
            Output.data(runs.map { json.line($0, isWriting: isWriting) }.joined())
        case .text, .csv: break
        }
    }
}
