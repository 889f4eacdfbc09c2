/// Sends requests to servers, many at once, each exactly once.
///
/// A transport never repeats a request. The ledger decides which requests are repeated.
package protocol Transport: Sendable {
    /// Opens a connection to the origin of `url`.
    ///
    /// Callers use it to detect an unreachable server before they record a request as released.
    func prepare(_ url: String) async throws(TransportError)

    /// Sends one request and waits for its whole answer.
    ///
    /// Cancelling the task cancels the request.
    func send(_ request: HTTPRequest) async throws(TransportError) -> HTTPAnswer

    /// Sends many requests, passes their answers to the receiver, and returns after the last
    /// answer is delivered.
    ///
    /// Answers that arrive together are delivered together. Every rule for a single request applies
    /// to each of these. Cancelling the task cancels the open requests.
    func send(_ requests: [NumberedRequest], to receiver: any AnswerReceiver) async
}

extension Transport {
    /// Sends each request in a separate task.
    package func send(_ requests: [NumberedRequest], to receiver: any AnswerReceiver) async {
        await withDiscardingTaskGroup { group in
            for numbered in requests {
                group.addTask {
                    receiver.willWrite(numbered.number)
                    let outcome: Result<HTTPAnswer, TransportError>
                    do throws(TransportError) {
                        outcome = .success(try await send(numbered.request))
                    } catch {
                        outcome = .failure(error)
                    }
                    receiver.read(NumberedAnswer(number: numbered.number, outcome: outcome))
                    receiver.deliver()
                }
            }
        }
    }
}

/// One of many requests, with a number that identifies it to the sender.
package struct NumberedRequest: Sendable {
    package let number: Int
    package let request: HTTPRequest

    package init(number: Int, request: HTTPRequest) {
        self.number = number
        self.request = request
    }
}

/// The result of one of many requests.
package struct NumberedAnswer: Sendable {
    package let number: Int
    package let outcome: Result<HTTPAnswer, TransportError>

    package init(number: Int, outcome: Result<HTTPAnswer, TransportError>) {
        self.number = number
        self.outcome = outcome
    }
}

/// Receives the answers to many requests.
///
/// Any thread may call it, even while other requests are open. It must return immediately.
package protocol AnswerReceiver: AnyObject, Sendable {
    /// The first byte of a request is about to be passed to a connection.
    ///
    /// A request without this call has not been sent.
    func willWrite(_ number: Int)

    /// An answer was read, or will never come; a call of `deliver` follows.
    func read(_ answer: NumberedAnswer)

    /// Processes the answers that were read since the previous call.
    func deliver()
}

/// The failure of a request that got no answer.
package struct TransportError: Error, Hashable, Sendable {
    /// Whether the request may have been sent.
    ///
    /// A ledger must distinguish the two cases: only `notSent` is safe to repeat.
    package enum Fate: Hashable, Sendable {
        /// No byte of the request was written, so the server cannot have seen it.
        case notSent
        /// Some bytes were written, so the server may have processed the request.
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
    /// The library's message, for people.
    package let detail: String

    package init(fate: Fate, reason: Reason, detail: String) {
        self.fate = fate
        self.reason = reason
        self.detail = detail
    }
}
