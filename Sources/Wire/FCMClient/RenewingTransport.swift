package import HTTPTransport

/// Retries requests with a renewed token if the token was rejected, for requests that are safe to
/// repeat.
///
/// The dispatcher renews the token for single sends itself, after its open requests are answered.
package struct RenewingTransport: Transport {
    package let transport: any Transport
    package let bearer: Bearer

    package init(transport: any Transport, bearer: Bearer) {
        self.transport = transport
        self.bearer = bearer
    }

    package func prepare(_ url: String) async throws(TransportError) {
        try await transport.prepare(url)
    }

    /// Returns the first answer if no other token is available.
    package func send(_ request: HTTPRequest) async throws(TransportError) -> HTTPAnswer {
        let answer = try await transport.send(request)
        guard answer.status == 401, let used = request.authorization,
            await bearer.isRenewed(after: used)
        else { return answer }
        return try await transport.send(request.with(bearer.header))
    }
}

extension FCMEndpoint {
    package func renewing(_ transport: any Transport) -> any Transport {
        RenewingTransport(transport: transport, bearer: bearer)
    }
}

extension Bearer {
    /// Renews the token unless another caller has already done so.
    fileprivate func isRenewed(after used: HTTPHeader) async -> Bool {
        guard header == used else { return true }
        do {
            try await renew()
            return header != used
        } catch {
            return false
        }
    }
}

extension HTTPRequest {
    fileprivate var authorization: HTTPHeader? { headers.first { $0.name == "Authorization" } }

    fileprivate func with(_ authorization: HTTPHeader) -> HTTPRequest {
        HTTPRequest(
            method: method,
            url: url,
            headers: [authorization] + headers.filter { $0.name != authorization.name },
            body: body,
            timeLimit: timeLimit
        )
    }
}
