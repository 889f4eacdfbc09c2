import Presentation
import Testing

@testable import HeraldCommands

struct StateAddressTests {
    private static let variables = [
        "URL": "postgres://ada:hunter2@db.example:5433/push", "PATH": "/usr/bin", "EMPTY": "",
    ]

    @Test(arguments: [
        "${URL}", "postgresql://ada:hunter2@db.example:5433/push",
        "postgres://db.example:5433/push?user=ada&password=hunter2",
    ])
    func `names a server without its user and password`(text: String) throws {
        let address = try StateAddress(text, variables: Self.variables)
        #expect(address.name == "postgres://db.example:5433/push")
        #expect(address.path == nil)
        #expect(!"\(address)".contains("hunter2"))
    }

    @Test(arguments: [
        "/srv/state.sqlite", "postgres", "$URL", "a${URL}", "${URL}.sqlite", "./host=db", "a/b=c",
        "a b.sqlite", "=",
    ])
    func `any other text is a path`(text: String) throws {
        #expect(try StateAddress(text, variables: Self.variables).path == text)
    }

    @Test(arguments: ["${NONE}", "${EMPTY}", "${PATH}"])
    func `a variable without an address is refused`(text: String) {
        #expect(throws: CommandFailure.self) {
            try StateAddress(text, variables: Self.variables)
        }
    }

    @Test(arguments: [
        "postgres://ada:hunter2@h%zz/db", "postgres://ada:x/hunter2@db.example/push",
        "host=db.example password=hunter2", " password = hunter2", "PASSWORD=hunter2",
        "mysql://ada:hunter2@db.example/push", "Postgres://ada:hunter2@db.example/push",
    ])
    func `an address in another form is neither a path nor repeated`(text: String) throws {
        do {
            _ = try StateAddress(text, variables: [:])
            Issue.record("it was accepted")
        } catch {
            #expect(!"\(error)".contains("hunter2"))
        }
    }
}
