import CampaignModel
import JSON
import PostgresClient
import PostgresStore
import Presentation
import SQLiteStore
import State
import StoreTables

/// Where a state is.
enum StateAddress: Sendable {
    case file(path: String)
    case server(PostgresPlace)

    /// The path, or host, port and database of the server; never a user or password.
    var name: String {
        switch self {
        case .file(let path): path
        case .server(let place): place.name
        }
    }

    /// Nil if the state is on a server.
    var path: String? {
        if case .file(let path) = self { path } else { nil }
    }
}

// MARK: - Reading an address

extension StateAddress {
    /// `text`: a path or an address of a server, which may refer to a variable: `${NAME}`.
    init(_ text: String, variables: [String: String]) throws(CommandFailure) {
        let written = try Self.resolved(text, variables: variables)
        if let address = DatabaseAddress(written) {
            try self.init(address, variables: variables)
        } else {
            guard written == text else { throw CommandFailure(.noServerAddress(in: text)) }
            guard !Self.mayBeAddress(text) else {
                throw CommandFailure(.unreadableStateAddress, exit: .usage)
            }
            self = .file(path: text)
        }
    }

    /// Whether a text looks like another form of address, which may contain a password: a URL, or a list
    /// such as `host=db.example password=…`.
    private static func mayBeAddress(_ text: String) -> Bool {
        let name = text.drop(while: \.isWhitespace).prefix { $0.isLetter || $0 == "_" }
        let rest = text[name.endIndex...].drop(while: \.isWhitespace)
        return text.contains("://") || !name.isEmpty && rest.first == "="
    }

    init(_ address: DatabaseAddress, variables: [String: String]) throws(CommandFailure) {
        self = .server(PostgresPlace(try Self.server(address, variables: variables)))
    }

    /// The hosts of an address that may be other machines.
    static func remoteHosts(
        of address: DatabaseAddress,
        variables: [String: String]
    ) throws(CommandFailure) -> [String] {
        try server(address, variables: variables).remoteHosts
    }

    private static func server(
        _ address: DatabaseAddress,
        variables: [String: String]
    ) throws(CommandFailure) -> PostgresAddress {
        do throws(PostgresError) {
            return try PostgresAddress(address.url, variables: variables)
        } catch {
            throw CommandFailure(StateStoreError(noServer: error))
        }
    }

    /// An address on the command line is visible to other users of the machine, so that it can be in a
    /// variable.
    private static func resolved(
        _ text: String,
        variables: [String: String]
    ) throws(CommandFailure) -> String {
        guard text.hasPrefix("${"), text.hasSuffix("}") else { return text }
        let name = String(text.dropFirst(2).dropLast())
        guard let value = variables[name], !value.isEmpty else {
            throw CommandFailure(.unsetStateVariable(name), exit: .usage)
        }
        return value
    }
}

extension StateStoreError {
    /// The address was not read.
    fileprivate init(noServer error: PostgresError) {
        let problem: StateServerProblem =
            if case .noLibrary(let detail) = error {
                .noLibrary(detail: detail)
            } else {
                .malformedAddress
            }
        self = .server(path: "", problem)
    }
}

// MARK: - Opening

extension StateAddress {
    /// What a store reports while it is open.
    struct Events: Sendable {
        /// Called when the state has moved to the current key.
        var didRewrap: @Sendable () -> Void = {}
        /// Called when the beginning of a run is committed, before its first effect.
        var didBeginRun: @Sendable (any TableStore) async -> Void = { _ in }
    }

    /// Whether a state exists, in any condition.
    func isThere() async throws(StateStoreError) -> Bool {
        switch self {
        case .file(let path): try SQLiteStore.isThere(path: path)
        case .server(let place): try await PostgresStore.isThere(place)
        }
    }

    /// `creates`: whether to create a missing state.
    func open(
        _ keys: StateKeys,
        creates: Bool,
        events: Events = Events()
    ) async throws(StateStoreError) -> any TableStore {
        switch self {
        case .file(let path):
            try SQLiteStore.open(
                path: path,
                keys: keys,
                ifMissing: creates ? .created() : .refused,
                events: SQLiteStore.Events(
                    didRewrap: events.didRewrap,
                    didBeginRun: { await events.didBeginRun($0) }
                )
            )
        case .server(let place):
            try await PostgresStore.open(
                place,
                keys: keys,
                ifMissing: creates ? .created() : .refused,
                events: PostgresStore.Events(
                    didRewrap: events.didRewrap,
                    didBeginRun: { await events.didBeginRun($0) }
                )
            )
        }
    }

    /// The settings of the environment at the last apply; nil before the first one.
    func environment() async throws(StateStoreError) -> JSONValue? {
        switch self {
        case .file(let path): try SQLiteStore.environment(ofStateAt: path)
        case .server(let place): try await PostgresStore.environment(ofStateAt: place)
        }
    }

    /// The role of the service that sends from the state.
    ///
    /// `store`: the open state.
    func role(in store: any TableStore) -> any ServiceRole {
        if let store = store as? PostgresStore { return PostgresServiceRole(in: store) }
        return FileServiceRole(ofStateAt: name)
    }
}
