import HTTPTransport
import JSON

/// Requests tokens and repeats transient failures, because these requests have no side effects.
struct TokenClient: Sendable {
    let transport: any Transport
    let retries: TokenRetries

    /// Returns the first answer that is not a transient failure, or the last answer.
    func answer(
        to request: HTTPRequest,
        in step: TokenError.Step
    ) async throws(TokenError) -> HTTPAnswer {
        for pause in retries.pauses {
            let result = await attempt(request)
            if !result.mayPass { return try Self.got(result, in: step) }
            await retries.wait(pause)
        }
        return try Self.got(await attempt(request), in: step)
    }

    private func attempt(_ request: HTTPRequest) async -> Result<HTTPAnswer, TransportError> {
        do throws(TransportError) {
            return .success(try await transport.send(request))
        } catch {
            return .failure(error)
        }
    }

    private static func got(
        _ result: Result<HTTPAnswer, TransportError>,
        in step: TokenError.Step
    ) throws(TokenError) -> HTTPAnswer {
        switch result {
        case .success(let answer): return answer
        case .failure(let error): throw TokenError(step: step, cause: .unreachable(error))
        }
    }
}

/// The number of attempts to request a token.
///
/// The default is that of google-auth: three times, after 1 and 2 s, with a jitter of 10 %.
package struct TokenRetries: Sendable {
    let pauses: [Duration]
    let wait: @Sendable (Duration) async -> Void

    package init(
        pauses: [Duration],
        wait: @escaping @Sendable (Duration) async -> Void = Self.sleep
    ) {
        self.pauses = pauses
        self.wait = wait
    }

    package static let standard = TokenRetries(pauses: [.seconds(1), .seconds(2)])

    package static let sleep: @Sendable (Duration) async -> Void = { pause in
        try? await Task.sleep(for: pause * Double.random(in: 0.9...1.1))
    }
}

extension Result where Success == HTTPAnswer, Failure == TransportError {
    fileprivate var mayPass: Bool {
        switch self {
        case .success(let answer):
            answer.status != 200
                && ([408, 429, 500, 503, 504].contains(answer.status) || answer.saysTryAgain)
        // A connection that is cut during the handshake fails as TLS.
        case .failure(let error): [.lostConnection, .failedTLS].contains(error.reason)
        }
    }
}

extension HTTPAnswer {
    fileprivate var saysTryAgain: Bool {
        let words = ["internal_failure", "server_error", "temporarily_unavailable"]
        guard let json = JSONValue(parsing: body) else { return false }
        return [json["error"], json["error_description"]].contains {
            $0?.stringValue.map(words.contains) ?? false
        }
    }
}
