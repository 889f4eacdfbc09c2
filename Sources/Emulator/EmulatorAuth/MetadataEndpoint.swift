import JSON

/// The metadata server of a Google virtual machine (Google Cloud documentation, Authenticate
/// applications using the metadata server).
extension Authority {
    func decideMetadata(
        _ path: [String]?,
        for request: AuthRequest,
        at now: TokenTime
    ) -> AuthDecision {
        var decision = metadata(path, for: request, at: now)
        decision.answer.headers = [("Metadata-Flavor", "Google")]
        return decision
    }

    private func metadata(
        _ path: [String]?,
        for request: AuthRequest,
        at now: TokenTime
    ) -> AuthDecision {
        guard let path else { return .text("computeMetadata/\n") }
        guard request.metadataFlavor == "Google" else {
            return .text(
                "Missing Metadata-Flavor:Google header.",
                status: 403,
                contentType: "text/html; charset=UTF-8"
            )
        }
        switch path {
        case ["project", "project-id"]: return .text(machineAccount.projectID)
        case ["universe", "universe-domain"]: return .text("googleapis.com")
        case ["instance", "service-accounts"]:
            return .text("default/\n\(machineAccount.email)/\n")
        default:
            guard path.count >= 3, path[..<2] == ["instance", "service-accounts"],
                ["default", machineAccount.email].contains(path[2])
            else { return .notFound }
            return accountMetadata(path.dropFirst(3), for: request, at: now)
        }
    }

    private func accountMetadata(
        _ path: ArraySlice<String>,
        for request: AuthRequest,
        at now: TokenTime
    ) -> AuthDecision {
        let email = machineAccount.email
        switch path {
        case []:
            guard request.recursive == "true" else {
                return .text("aliases\nemail\nscopes\ntoken\n")
            }
            return AuthDecision(
                answer: .success([
                    "aliases": ["default"], "email": .string(email),
                    "scopes": .array(Self.machineScopes.map { .string($0) }),
                ])
            )
        case ["email"]: return .text(email)
        case ["aliases"]: return .text("default\n")
        case ["scopes"]: return .text(Self.machineScopes.joined(separator: "\n") + "\n")
        case ["token"]: return machineToken(request, at: now)
        default: return .notFound
        }
    }

    /// Issues a token; `scopes` is comma-separated, as for Cloud Run's metadata server.
    private func machineToken(_ request: AuthRequest, at now: TokenTime) -> AuthDecision {
        let wanted = request.scopes?.split(separator: ",")
        guard let scopes = AccessScope.list(wanted?.map(String.init) ?? Self.machineScopes) else {
            return .text("Invalid scopes.", status: 400)
        }
        return issue(TokenGrant(to: machineAccount.email, scopes: scopes), for: request, at: now) {
            text,
            token in
            [
                "access_token": .string(text), "expires_in": expiresIn(token, at: now),
                "token_type": "Bearer",
            ]
        }
    }

    /// The service account that was registered first, or a built-in one.
    private var machineAccount: (email: String, projectID: String) {
        guard let first = accounts.first else {
            return ("default@demo-herald.iam.gserviceaccount.com", "demo-herald")
        }
        return (first.email, first.projectID)
    }

    private static let machineScopes = [AccessScope.cloudPlatform]
}

extension AuthDecision {
    fileprivate static func text(
        _ text: String,
        status: Int = 200,
        contentType: String = "application/text"
    ) -> AuthDecision {
        var answer = AuthAnswer(status: status, body: .string(text))
        answer.contentType = contentType
        return AuthDecision(answer: answer)
    }

    fileprivate static var notFound: AuthDecision {
        .text("Not Found", status: 404, contentType: "text/html; charset=UTF-8")
    }
}
