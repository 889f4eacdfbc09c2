internal import CLibPQ

/// The settings of a connection string, with those that Herald adds.
package struct PostgresAddress: Hashable, Sendable, CustomStringConvertible {
    /// By the names of libpq's parameters.
    package private(set) var settings: [String: String]

    /// Reads a URI or a list of `key=value` (PostgreSQL documentation, Connection Strings).
    ///
    /// `variables`: the environment variables, some of which libpq uses as defaults.
    package init(_ text: String, variables: [String: String]) throws(PostgresError) {
        if let reason = PostgresLibrary.failure { throw .noLibrary(detail: reason) }
        guard !Self.isAmbiguous(text), let given = Self.parsed(text) else {
            throw .malformedAddress
        }
        // A URI without `@` may have a password in the place of the port.
        let isPort = (given["port"] ?? "").allSatisfy { $0 == "," || $0.isASCII && $0.isNumber }
        guard isPort else { throw .malformedAddress }
        settings = Self.completed(given, variables: variables)
    }

    package var description: String { "<redacted>" }

    /// Names the database without a user or password, such as `postgres://db.example:5432/herald`.
    package var place: String {
        let host = settings["host"] ?? settings["hostaddr"] ?? ""
        let port = settings["port"].map { ":\($0)" } ?? ""
        let name = settings["dbname"].map { "/\($0)" } ?? ""
        return "postgres://\(host)\(port)\(name)"
    }

    /// Returns the same address with a name for its connections, unless the string has one.
    package func named(_ name: String) -> PostgresAddress {
        var named = self
        if settings["application_name"] == Self.applicationName {
            named.settings["application_name"] = "\(Self.applicationName) \(name)"
        }
        return named
    }

    private static let applicationName = "herald"

    /// The hosts of the string that may be other machines.
    package var remoteHosts: [String] { Self.remoteHosts(settings) }

    package static func remoteHosts(_ settings: [String: String]) -> [String] {
        let named = ["host", "hostaddr"].compactMap { settings[$0] }.joined(separator: ",")
        return named.split(separator: ",").filter { !isLocal($0) }.map(String.init)
    }

    /// Adds what the string does not specify.
    ///
    /// A server that may be on another machine must prove its name with a certificate.
    package static func completed(
        _ given: [String: String],
        variables: [String: String]
    ) -> [String: String] {
        var settings = given
        let hasMode = given["sslmode"] != nil || variables["PGSSLMODE"].isGiven
        if !hasMode, !isLocal(given, variables: variables) { settings["sslmode"] = "verify-full" }
        settings["client_encoding"] = "UTF8"
        if given["application_name"] == nil { settings["application_name"] = applicationName }
        return settings
    }

    /// Whether all hosts are this machine: addresses of its loopback interface, and sockets.
    ///
    /// A service of libpq's configuration may name any host.
    private static func isLocal(
        _ given: [String: String],
        variables: [String: String]
    ) -> Bool {
        let hosts = given["host"] ?? variables["PGHOST"] ?? ""
        let addresses = given["hostaddr"] ?? variables["PGHOSTADDR"] ?? ""
        let named = (hosts + "," + addresses).split(separator: ",")
        let hasService = given["service"] != nil || variables["PGSERVICE"].isGiven
        return named.allSatisfy(isLocal) && !(hasService && given["host"] == nil)
    }

    private static func isLocal(_ host: Substring) -> Bool {
        let parts = host.split(separator: ".", omittingEmptySubsequences: false)
        let isAddress = parts.count == 4 && parts.allSatisfy { UInt8($0) != nil }
        let isLoopback = isAddress && parts[0] == "127"
        return isLoopback || host == "localhost" || host == "::1" || host.hasPrefix("/")
            || host.hasPrefix("@")
    }

    /// Whether libpq may take a part of the password of a URI for the host, the port or the database, which are
    /// not secret: `@` and `/` end the password unless they are percent-encoded.
    private static func isAmbiguous(_ text: String) -> Bool {
        guard let scheme = ["postgres://", "postgresql://"].first(where: text.hasPrefix) else {
            return false
        }
        let place = text.dropFirst(scheme.count).prefix { $0 != "?" }
        let host = place.prefix { $0 != "/" }
        return place.count { $0 == "@" } > 1 || place.contains("@") && !host.contains("@")
    }

    private static func parsed(_ text: String) -> [String: String]? {
        var problem: UnsafeMutablePointer<CChar>?
        let options = unsafe herald_pq_conninfo_parse(text, &problem)
        unsafe herald_pq_freemem(problem)
        guard let options = unsafe options else { return nil }
        defer { unsafe herald_pq_conninfo_free(options) }
        var settings: [String: String] = [:]
        var option = unsafe options
        while let name = unsafe option.pointee.keyword {
            if let value = unsafe option.pointee.val {
                unsafe settings[String(cString: name)] = String(cString: value)
            }
            unsafe option += 1
        }
        return settings
    }
}

extension String? {
    fileprivate var isGiven: Bool { self.map { !$0.isEmpty } ?? false }
}

/// libpq's process-wide state.
enum PostgresLibrary {
    /// Why libpq could not be loaded; the first use loads it.
    static let failure: String? = unsafe herald_pq_load().map { reason in
        unsafe String(cString: reason)
    }
}
