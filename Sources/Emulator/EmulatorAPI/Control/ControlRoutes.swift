/// A request that changes the emulator; the log records it like any other request.
package enum ControlRequest: Hashable, Sendable {
    case addDevices
    case changeDevice(String)
    case removeDevice(String)
    case register(String)
    case unregister(String)
    case subscribe(String)
    case unsubscribe(String, topic: String)
    case tap(String)
    case setDelivery
    case setClock
    case restore
    case reset
    case setFaults
    case clearFaults
}

/// A query of the emulator's own state, which is not recorded.
package enum ControlQuery: Hashable, Sendable {
    case health
    case devices
    case device(String)
    case deviceLog(String)
    case inbox(String)
    case inboxes
    case memberships
    case requests
    case counters
    case counter(digest: String)
    case clock
    case delivery
    case snapshot
    case faults
    case authority(AuthorityRoute)
    case page(PageQuery)
    /// `GET /emulator/v1/messages`
    case messages
}

extension RouteTable {
    static let control = [
        Row("GET", "/emulator/v1/health", .health) { _ in .look(.health) },
        Row("GET", "/emulator/v1/devices", .devices) { _ in .look(.devices) },
        Row("POST", "/emulator/v1/devices", .addDevices) { _ in .control(.addDevices) },
        Row("GET", "/emulator/v1/devices/{name}", .device) { .look(.device($0[0])) },
        Row("PATCH", "/emulator/v1/devices/{name}", .changeDevice) {
            .control(.changeDevice($0[0]))
        },
        Row("DELETE", "/emulator/v1/devices/{name}", .removeDevice) {
            .control(.removeDevice($0[0]))
        },
        Row("POST", "/emulator/v1/devices/{name}/registration", .register) {
            .control(.register($0[0]))
        },
        Row("DELETE", "/emulator/v1/devices/{name}/registration", .unregister) {
            .control(.unregister($0[0]))
        },
        Row("POST", "/emulator/v1/devices/{name}/subscriptions", .subscribe) {
            .control(.subscribe($0[0]))
        },
        Row("DELETE", "/emulator/v1/devices/{name}/subscriptions/{topic}", .unsubscribe) {
            .control(.unsubscribe($0[0], topic: $0[1]))
        },
        Row("POST", "/emulator/v1/devices/{name}/taps", .tap) { .control(.tap($0[0])) },
        Row("GET", "/emulator/v1/devices/{name}/log", .deviceLog) { .look(.deviceLog($0[0])) },
        Row("GET", "/emulator/v1/devices/{name}/inbox", .inbox) { .look(.inbox($0[0])) },
        Row("GET", "/emulator/v1/inboxes", .inboxes) { _ in .look(.inboxes) },
        Row("GET", "/emulator/v1/messages", .messages) { _ in .look(.messages) },
        Row("GET", "/emulator/v1/memberships", .memberships) { _ in .look(.memberships) },
        Row("GET", "/emulator/v1/requests", .requests) { _ in .look(.requests) },
        Row("GET", "/emulator/v1/counters", .counters) { _ in .look(.counters) },
        Row("GET", "/emulator/v1/counters/{digest}", .counter) { .look(.counter(digest: $0[0])) },
        Row("GET", "/emulator/v1/clock", .clock) { _ in .look(.clock) },
        Row("PUT", "/emulator/v1/clock", .setClock) { _ in .control(.setClock) },
        Row("GET", "/emulator/v1/delivery-options", .delivery) { _ in .look(.delivery) },
        Row("PUT", "/emulator/v1/delivery-options", .setDelivery) { _ in
            .control(.setDelivery)
        },
        Row("GET", "/emulator/v1/snapshot", .snapshot) { _ in .look(.snapshot) },
        Row("PUT", "/emulator/v1/snapshot", .restore) { _ in .control(.restore) },
        Row("GET", "/emulator/v1/faults", .faults) { _ in .look(.faults) },
        Row("PUT", "/emulator/v1/faults", .setFaults) { _ in .control(.setFaults) },
        Row("DELETE", "/emulator/v1/faults", .clearFaults) { _ in .control(.clearFaults) },
        Row("POST", "/emulator/v1/reset", .reset) { _ in .control(.reset) },
    ]
}
