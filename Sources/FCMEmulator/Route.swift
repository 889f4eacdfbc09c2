/// What a request is for, with the parameters of its path.
enum Route: Hashable, Sendable {
    case send(project: String)
    case batchAdd
    case batchRemove
    case info(registration: String)
    case control(ControlRequest)
    case look(Look)
}

extension RouteTable {
    /// Everything that the emulator serves.
    ///
    /// The first row that fits serves a request; a send is looked for on every row above its own.
    static let served = RouteTable(google + control)

    private static let google = [
        Row("POST", "/v1/projects/{project}/messages:send", .send) { .send(project: $0[0]) },
        Row("POST", "/iid/v1:batchAdd", .batchAdd) { _ in .batchAdd },
        Row("POST", "/iid/v1:batchRemove", .batchRemove) { _ in .batchRemove },
        Row("GET", "/iid/info/{registration}", .info) { .info(registration: $0[0]) },
    ]
}
