package import HTTPTransport
import JSON

/// Reads a Google machine's own identity.
extension TokenExchange {
    func token(
        from server: MetadataServer,
        for scopes: [AccessScope]
    ) async throws(TokenError) -> AccessToken {
        let list = scopes.map(\.rawValue.formEncoded).joined(separator: ",")
        let path = "instance/service-accounts/default/token?scopes=" + list
        let answer = try await client.answer(to: server.request(path), in: .machine)
        guard answer.isOfMachine else { throw TokenError(step: .machine, cause: .noMachine) }
        return try answer.token(of: .machine)
    }
}

extension MetadataServer {
    /// Checks whether this is a metadata server, because another server may use its address.
    package func isThere(over transport: any Transport) async -> Bool {
        let request = HTTPRequest(
            method: .get,
            url: "http://\(probe)/",
            headers: [Self.flavor],
            timeLimit: timeLimit
        )
        for _ in 0..<attempts {
            do throws(TransportError) {
                let answer = try await transport.send(request)
                return answer.status == 200 && answer.isOfMachine
            } catch {
                guard error.reason == .timedOut || error.reason == .lostConnection else {
                    return false
                }
            }
        }
        return false
    }

    /// Returns the machine's project, or nil if it is unavailable.
    package func projectID(over transport: any Transport) async -> String? {
        guard let answer = try? await transport.send(request("project/project-id")),
            answer.status == 200, answer.isOfMachine
        else { return nil }
        let text = String(decoding: answer.body, as: UTF8.self)
        return text.isEmpty ? nil : text
    }

    fileprivate func request(_ path: String) -> HTTPRequest {
        HTTPRequest(
            method: .get,
            url: "http://\(host)/computeMetadata/v1/\(path)",
            headers: [Self.flavor],
            timeLimit: timeLimit
        )
    }

    private static let flavor = HTTPHeader(name: "Metadata-Flavor", value: "Google")
}

extension HTTPAnswer {
    fileprivate var isOfMachine: Bool { header("Metadata-Flavor") == "Google" }
}
