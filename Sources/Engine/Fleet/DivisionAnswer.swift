/// What a division reads.
package struct DivisionAnswer: Hashable, Sendable {
    /// The row of one worker.
    package struct Row: Hashable, Sendable {
        package let worker: WorkerID
        package let permits: Int
        /// Its last request; nil if it asked for nothing lately.
        package let request: SliceRequest?

        package init(_ worker: WorkerID, permits: Int, request: SliceRequest?) {
            self.worker = worker
            self.permits = permits
            self.request = request
        }
    }

    package let server: ServerState
    package let rows: [Row]
    package let uncut: [UncutOccurrence]
    /// Whether every worker has confirmed the timeline; if not, no permits are granted.
    package let isConfirmed: Bool
    /// How long slices of former writers may still count.
    package let rest: Duration

    package init(
        server: ServerState,
        rows: [Row],
        uncut: [UncutOccurrence],
        isConfirmed: Bool,
        rest: Duration = .zero
    ) {
        self.server = server
        self.rows = rows
        self.uncut = uncut
        self.isConfirmed = isConfirmed
        self.rest = rest
    }
}
