/// Groups arriving messages into commits: while a commit runs, messages wait for the next one.
///
/// A single message is committed at once. `Ticket`: what the driver needs to acknowledge a message.
package struct InboxBatcher<Ticket: Sendable>: Sendable {
    package enum Event: Sendable {
        case arrived(UpstreamMessage, Ticket)
        /// The commit that the last `commit` asked for is durable.
        case committed([InboxResult])
        /// The commit failed, or its result is not known.
        case failed
        /// No message will arrive any more.
        case ended
    }

    package enum Command: Sendable {
        case commit([UpstreamMessage])
        /// The message is stored, and the device's server may forget it.
        case acknowledge(Ticket, InboxResult)
        /// The message is not stored: it must not be acknowledged.
        case refuse(Ticket, Refusal)
        /// Everything that arrived is answered, and no message will arrive any more.
        case finish
    }

    package enum Refusal: Hashable, Sendable {
        case notStored
        /// Too many messages wait for the store.
        case overloaded
    }

    private var waiting: [(message: UpstreamMessage, ticket: Ticket)] = []
    private var committing: [Ticket] = []
    private var isCommitting = false
    private var hasEnded = false
    private let batchLimit: Int
    private let waitingLimit: Int

    /// - Parameters:
    ///   - batchLimit: The most messages of one commit.
    ///   - waitingLimit: The most messages that wait for a commit.
    package init(batchLimit: Int = 2_048, waitingLimit: Int = 65_536) {
        self.batchLimit = batchLimit
        self.waitingLimit = waitingLimit
    }

    /// The number of messages that are not answered.
    package var openCount: Int { waiting.count + committing.count }

    package mutating func receive(_ event: Event) -> [Command] {
        switch event {
        case .arrived(_, let ticket) where hasEnded || waiting.count >= waitingLimit:
            return [.refuse(ticket, hasEnded ? .notStored : .overloaded)]
        case .arrived(let message, let ticket):
            waiting.append((message, ticket))
            return next()
        case .committed(let results):
            precondition(results.count == committing.count, "each message has one result")
            let answers = zip(committing, results).map { Command.acknowledge($0, $1) }
            return answers + settled()
        case .failed:
            return committing.map { .refuse($0, .notStored) } + settled()
        case .ended:
            hasEnded = true
            return isCommitting ? [] : next()
        }
    }

    private mutating func settled() -> [Command] {
        (committing, isCommitting) = ([], false)
        return next()
    }

    private mutating func next() -> [Command] {
        guard !isCommitting else { return [] }
        guard !waiting.isEmpty else { return hasEnded ? [.finish] : [] }
        let batch = waiting.prefix(batchLimit)
        waiting.removeFirst(batch.count)
        committing = batch.map(\.ticket)
        isCommitting = true
        return [.commit(batch.map(\.message))]
    }
}
