import PostgresClient
import Testing

struct PostgresAddressTests {
    private static func mode(
        _ given: [String: String],
        _ variables: [String: String] = [:]
    ) -> String? {
        PostgresAddress.completed(given, variables: variables)["sslmode"]
    }

    @Test(arguments: [
        "db.example", "10.0.0.7", "127.0.0.1.example", "127.0.0", "localhost,db.example",
        "/run/postgresql,db.example", "0.0.0.0", "::", "local-host",
    ])
    func `a server that may be on another machine must prove its name`(host: String) {
        #expect(Self.mode(["host": host]) == "verify-full")
        #expect(Self.mode([:], ["PGHOST": host]) == "verify-full")
    }

    @Test(arguments: ["", "localhost", "127.0.0.1", "127.1.2.3", "::1", "/run/postgresql", "@pg"])
    func `a server on this machine needs no certificate`(host: String) {
        #expect(Self.mode(["host": host]) == nil)
        #expect(Self.mode(["dbname": "app"], ["PGHOST": host]) == nil)
    }

    @Test func `all hosts and addresses count`() {
        #expect(Self.mode(["hostaddr": "10.0.0.7"]) == "verify-full")
        #expect(Self.mode(["host": "localhost", "hostaddr": "10.0.0.7"]) == "verify-full")
        #expect(Self.mode(["host": "localhost"], ["PGHOSTADDR": "10.0.0.7"]) == "verify-full")
        #expect(Self.mode(["host": "localhost,127.0.0.1", "hostaddr": ",127.0.0.1"]) == nil)
    }

    @Test func `a service may name any server`() {
        #expect(Self.mode(["service": "lists"]) == "verify-full")
        #expect(Self.mode([:], ["PGSERVICE": "lists"]) == "verify-full")
        #expect(Self.mode(["service": "lists", "host": "localhost"]) == nil)
    }

    @Test func `the mode that the operator chooses stays`() {
        let given = ["host": "db.example", "sslmode": "require"]
        #expect(Self.mode(given) == "require")
        #expect(Self.mode(["host": "db.example"], ["PGSSLMODE": "disable"]) == nil)
        #expect(Self.mode(["host": "db.example"], ["PGSSLMODE": ""]) == "verify-full")
    }

    @Test func `the connection has a name and UTF-8 texts`() {
        let settings = PostgresAddress.completed(
            ["client_encoding": "LATIN1", "dbname": "app"],
            variables: [:]
        )
        #expect(settings["client_encoding"] == "UTF8")
        #expect(settings["application_name"] == "herald")
        #expect(settings["dbname"] == "app")
        let named = PostgresAddress.completed(["application_name": "lists"], variables: [:])
        #expect(named["application_name"] == "lists")
    }

    @Test(arguments: [
        (["host": "127.0.0.1,db.example"], ["db.example"]),
        (["host": "/var/run/postgresql"], []),
        (["host": "localhost", "hostaddr": "192.0.2.7"], ["192.0.2.7"]),
        (["dbname": "herald"], []),
    ])
    func `names the hosts that may be other machines`(
        settings: [String: String],
        remote: [String]
    ) {
        #expect(PostgresAddress.remoteHosts(settings) == remote)
    }
}
