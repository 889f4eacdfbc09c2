/// What carries requests to a server: many at once, each exactly once.
///
/// A transport never repeats a request by itself. Whether to repeat is the ledger's decision.
package protocol Transport: Sendable {
    /// Opens a connection to the origin of `url`, so that a server that cannot be reached is
    /// noticed before any request is recorded as released.
    func prepare(_ url: String) async throws(TransportError)

    /// Sends one request and waits for its whole answer. Cancelling the task cancels the request.
    func send(_ request: HTTPRequest) async throws(TransportError) -> HTTPAnswer

    /// Sends many requests and hands each answer to the receiver, those that came together in one
    /// call; returns when it has them all.
    ///
    /// What holds for one request holds for each of these. Cancelling the task cancels those that
    /// are open.
    func send(_ requests: [NumberedRequest], to receiver: any AnswerReceiver) async
}

extension Transport {
    /// Sends each in a task of its own.
    package func send(_ requests: [NumberedRequest], to receiver: any AnswerReceiver) async {
        await withDiscardingTaskGroup { group in
            for numbered in requests {
                group.addTask {
                    let outcome: Result<HTTPAnswer, TransportError>
                    do throws(TransportError) {
                        outcome = .success(try await send(numbered.request))
                    } catch {
                        outcome = .failure(error)
                    }
                    receiver.receive([NumberedAnswer(number: numbered.number, outcome: outcome)])
                }
            }
        }
    }
}

/// One of many requests, under a number that its sender knows it by.
package struct NumberedRequest: Sendable {
    package let number: Int
    package let request: HTTPRequest

    package init(number: Int, request: HTTPRequest) {
        self.number = number
        self.request = request
    }
}

/// What became of one of many requests.
package struct NumberedAnswer: Sendable {
    package let number: Int
    package let outcome: Result<HTTPAnswer, TransportError>

    package init(number: Int, outcome: Result<HTTPAnswer, TransportError>) {
        self.number = number
        self.outcome = outcome
    }
}

/// Where the answers to many requests arrive.
///
/// It is called from any thread, also while others wait for theirs: it must return at once.
package protocol AnswerReceiver: AnyObject, Sendable {
    func receive(_ answers: [NumberedAnswer])
}

/// A request that got no answer.
package struct TransportError: Error, Hashable, Sendable {
    /// What is known about the request.
    ///
    /// A ledger must not take the second for the first.
    package enum Fate: Hashable, Sendable {
        /// Not one byte of the request was written: the server cannot have seen it.
        case notSent
        /// Something was written: the server may have acted on it.
        case perhapsSent
    }

    package enum Reason: Hashable, Sendable {
        case badURL
        case unresolvedHost
        case refusedConnection
        case failedTLS
        case timedOut
        case lostConnection
        case cancelled
        case malformedAnswer
        case other
    }

    package let fate: Fate
    package let reason: Reason
    /// What the library said, for people.
    package let detail: String

    package init(fate: Fate, reason: Reason, detail: String) {
        self.fate = fate
        self.reason = reason
        self.detail = detail
    }
}
