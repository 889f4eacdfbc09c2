import EmulatorAuth

extension RouteTable {
    /// The routes that issue access tokens.
    static let oauth: [Row] =
        OAuthRoute.tokenPaths.map { path in
            Row("POST", at: path, documentation: .token) { _ in .oauth(.token) }
        } + [
            Row("POST", at: "/v1/token", documentation: .securityToken) { _ in
                .oauth(.securityToken)
            },
            Row(
                "POST",
                at: "/v1/projects/-/serviceAccounts/{email}:generateAccessToken",
                documentation: .generateAccessToken
            ) { .oauth(.generateAccessToken(email: $0[0])) },
        ] + metadata

    private static let metadata: [Row] = {
        let root = "/computeMetadata/v1/"
        let accounts = ["instance", "service-accounts"]
        var rows: [Row] = []
        for path in [["project", "project-id"], ["universe", "universe-domain"], accounts] {
            let text = root + path.joined(separator: "/")
            rows.append(
                Row("GET", at: text, documentation: .metadata) { _ in .oauth(.metadata(path: path))
                }
            )
        }
        let all = root + accounts.joined(separator: "/")
        rows.append(
            Row("GET", at: all + "/", documentation: .metadata) { _ in
                .oauth(.metadata(path: accounts))
            }
        )
        for end in ["", "/"] {
            rows.append(
                Row("GET", at: all + "/{account}" + end, documentation: .metadata) {
                    .oauth(.metadata(path: accounts + [$0[0]]))
                }
            )
        }
        rows.append(
            Row("GET", at: all + "/{account}/{value}", documentation: .metadata) {
                .oauth(.metadata(path: accounts + [$0[0], $0[1]]))
            }
        )
        return rows
    }()

    /// The emulator's own routes for accounts and tokens.
    static let authority: [Row] =
        [
            Row("GET", at: "/emulator/v1/auth", documentation: .authority) { _ in
                .look(.authority(.overview))
            },
            Row("PATCH", at: "/emulator/v1/auth", documentation: .changeAuthority) { _ in
                .authority(.overview)
            },
            Row("GET", at: "/emulator/v1/auth/tokens", documentation: .tokens) { _ in
                .look(.authority(.tokens))
            },
            Row("DELETE", at: "/emulator/v1/auth/tokens", documentation: .expireTokens) { _ in
                .authority(.tokens)
            },
        ]
        + AccountKind.allCases.flatMap { kind in
            let path = "/emulator/v1/auth/\(kind.rawValue)"
            return [
                Row("GET", at: path, documentation: .accounts) { _ in
                    .look(.authority(.accounts(kind)))
                },
                Row("POST", at: path, documentation: .addAccount) { _ in .authority(.accounts(kind))
                },
                Row("DELETE", at: path + "/{name}", documentation: .removeAccount) {
                    .authority(.account(kind, name: $0[0]))
                },
            ]
        }
}

/// The documentation of these routes; Google publishes no schema for their bodies.
extension RouteDocumentation {
    static let token = RouteDocumentation(
        "Issues an access token for an assertion or a refresh token.",
        body: Body(schema: .map, mediaType: "application/x-www-form-urlencoded"),
        answer: .json(.object),
        refusals: [401],
        refusal: .any(of: .object, .googleError)
    )

    static let securityToken = RouteDocumentation(
        "Issues an access token for an identity of another provider.",
        body: Body(schema: .map, mediaType: "application/x-www-form-urlencoded"),
        answer: .json(.object),
        refusals: [401],
        refusal: .any(of: .object, .googleError)
    )

    static let generateAccessToken = RouteDocumentation(
        "Issues an access token for another account.",
        body: .json(.object),
        answer: .json(.object),
        refusals: [403],
        needsBearer: true
    )

    static let metadata = RouteDocumentation(
        "Shows metadata of the virtual machine; requires the header Metadata-Flavor: Google.",
        query: [
            Query("recursive", summary: "Return all values at once."),
            Query("scopes", summary: "The scopes of the token, separated by commas."),
        ],
        answer: Body(schema: .anything, mediaType: "*/*"),
        refusals: [403, 404],
        refusalType: "*/*"
    )

    static let authority = RouteDocumentation(
        "Shows the accounts and settings.",
        answer: .json(.object)
    )

    static let changeAuthority = RouteDocumentation(
        "Sets the lifetime of new tokens.",
        body: .json(
            .record("TokenLifetime", members: ["token_lifetime_seconds": .integer(from: 1)])
        ),
        answer: .json(.object)
    )

    static let tokens = RouteDocumentation(
        "Lists the issued tokens by digest.",
        query: Query.page,
        answer: .json(.object)
    )

    static let expireTokens = RouteDocumentation(
        "Expires all tokens.",
        answer: .json(.empty)
    )

    static let accounts = RouteDocumentation(
        "Lists accounts.",
        query: Query.page,
        answer: .json(.object)
    )

    static let addAccount = RouteDocumentation(
        "Adds an account.",
        body: .json(.object),
        answer: .json(.object)
    )

    static let removeAccount = RouteDocumentation(
        "Removes an account.",
        answer: .json(.empty)
    )
}
