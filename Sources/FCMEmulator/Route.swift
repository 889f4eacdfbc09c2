/// What a request is for, with the parameters of its path.
enum Route: Hashable, Sendable {
    case send(project: String)
    case batchAdd
    case batchRemove
    case info(registration: String)
    case health
    case listDevices
    case addDevices
    case changeDevice(name: String)
    case inboxes
    case requests
    case reset
}

extension RouteTable {
    /// Everything that the emulator serves.
    ///
    /// The first row that fits serves a request; a send is looked for on every row above its own.
    static let served = RouteTable([
        Row("POST", "/v1/projects/{project}/messages:send", .send) { .send(project: $0[0]) },
        Row("POST", "/iid/v1:batchAdd", .batchAdd) { _ in .batchAdd },
        Row("POST", "/iid/v1:batchRemove", .batchRemove) { _ in .batchRemove },
        Row("GET", "/iid/info/{registration}", .info) { .info(registration: $0[0]) },

        Row("GET", "/emulator/v1/health", .health) { _ in .health },
        Row("GET", "/emulator/v1/devices", .listDevices) { _ in .listDevices },
        Row("POST", "/emulator/v1/devices", .addDevices) { _ in .addDevices },
        Row("PATCH", "/emulator/v1/devices/{name}", .changeDevice) { .changeDevice(name: $0[0]) },
        Row("GET", "/emulator/v1/inboxes", .inboxes) { _ in .inboxes },
        Row("GET", "/emulator/v1/requests", .requests) { _ in .requests },
        Row("POST", "/emulator/v1/reset", .reset) { _ in .reset },
    ])
}
