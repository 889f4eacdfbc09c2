import Testing

@testable import EmulatorAPI

struct RouteTableTests {
    private static let table = RouteTable([
        row("POST", "/v1/projects/{project}/messages:send") { .send(project: $0[0]) },
        row("GET", "/iid/info/{registration}") { .info(registration: $0[0]) },
        row("POST", "/v1/projects/-/accounts/{account}:sign") { .send(project: $0[0]) },
        row("GET", "/x/{a}/{b}/{c}") { .send(project: "\($0[0])|\($0[1])|\($0[2])|\($0[3])") },
        row("GET", "/emulator/v1/devices") { _ in .look(.devices) },
        row("POST", "/emulator/v1/devices") { _ in .control(.addDevices) },
    ])

    private static func row(
        _ method: String,
        _ template: String,
        _ route: @escaping @Sendable (PathParameters) -> Route
    ) -> RouteTable.Row {
        RouteTable.Row(
            method,
            at: template,
            documentation: RouteDocumentation("It is a test.", answer: .json(.empty)),
            route: route
        )
    }

    @Test(arguments: [
        ("/v1/projects/tidewatch/messages:send", "tidewatch"),
        ("/v1/projects/tide%2Fwatch/messages:send", "tide/watch"),
        ("/v1/projects/a/messages%3Asend", "a"),
        ("/v1/projects/-/accounts/a:b@c:sign", "a:b@c"),
    ])
    func `reads the parameter of a path`(path: String, project: String) {
        #expect(
            Self.table.match("POST", path: path[...]) == .served(.send(project: project))
        )
    }

    @Test(arguments: [
        "", "/", "v1/projects/a/messages:send", "/v1/projects//messages:send",
        "/v1/projects/a/messages:send/", "/v1/projects/a/messages:sen",
        "/v1/projects/a/messages:sends", "/v1/projects/-/accounts/:sign", "/iid/info/",
        "/iid/info", "/emulator/v1/devices/a",
    ])
    func `matches no other path`(path: String) {
        #expect(Self.table.match("POST", path: path[...]) == .nothing)
    }

    @Test func `reads up to three parameters`() {
        #expect(
            Self.table.match("GET", path: "/x/x/y%20z/%25")
                == .served(
                    .send(project: "x|y z|%|%")
                )
        )
    }

    @Test func `returns the methods of a path`() {
        let path = "/emulator/v1/devices"
        #expect(Self.table.match("GET", path: path[...]) == .served(.look(.devices)))
        #expect(Self.table.match("POST", path: path[...]) == .served(.control(.addDevices)))
        #expect(Self.table.match("PUT", path: path[...]) == .otherMethods(["GET", "POST"]))
    }

    @Test func `matches a path that is a part of a longer text`() {
        let target = "https://x/iid/info/abc?details=true"
        let path = target.dropFirst("https://x".count).prefix { $0 != "?" }
        #expect(
            Self.table.match("GET", path: path) == .served(.info(registration: "abc"))
        )
    }
}
