/// A request that changes the emulator; the log records it like any other request.
package enum ControlRequest: Hashable, Sendable {
    case addDevices
    /// `POST /emulator/v1/registrations`
    case adopt
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
    case setProject(String)
    case dropProject(String)
    /// `POST /emulator/v1/devices/{name}/upstream`
    case sendUpstream(String)
    case acknowledgeUpstream
    case drainUpstream
}

/// A query of the emulator's own state, which is not recorded.
package enum ControlQuery: Hashable, Sendable {
    case health
    case projects
    case devices
    case device(String)
    case deviceLog(String)
    case inbox(String)
    case inboxes
    case memberships
    case requests
    /// `GET /emulator/v1/requests/{seq}`
    case request(String)
    case searchDevices
    case searchMessages
    case searchRequests
    case wait
    case assert
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
    /// `GET /emulator/v1/upstream`
    case upstream
    case upstreamMessages(String)
}

extension RouteTable {
    static let control = [
        Row("GET", at: "/emulator/v1/health", documentation: .health) { _ in .look(.health) },
        Row("GET", at: "/emulator/v1/projects", documentation: .projects) { _ in .look(.projects) },
        Row("PUT", at: "/emulator/v1/projects/{id}", documentation: .setProject) {
            .control(.setProject($0[0]))
        },
        Row("DELETE", at: "/emulator/v1/projects/{id}", documentation: .dropProject) {
            .control(.dropProject($0[0]))
        },
        Row("GET", at: "/emulator/v1/devices", documentation: .devices) { _ in .look(.devices) },
        Row("POST", at: "/emulator/v1/devices", documentation: .addDevices) { _ in
            .control(.addDevices)
        },
        Row("POST", at: "/emulator/v1/registrations", documentation: .adopt) { _ in
            .control(.adopt)
        },
        Row("GET", at: "/emulator/v1/devices/{name}", documentation: .device) {
            .look(.device($0[0]))
        },
        Row("PATCH", at: "/emulator/v1/devices/{name}", documentation: .changeDevice) {
            .control(.changeDevice($0[0]))
        },
        Row("DELETE", at: "/emulator/v1/devices/{name}", documentation: .removeDevice) {
            .control(.removeDevice($0[0]))
        },
        Row("POST", at: "/emulator/v1/devices/{name}/registration", documentation: .register) {
            .control(.register($0[0]))
        },
        Row("DELETE", at: "/emulator/v1/devices/{name}/registration", documentation: .unregister) {
            .control(.unregister($0[0]))
        },
        Row("POST", at: "/emulator/v1/devices/{name}/subscriptions", documentation: .subscribe) {
            .control(.subscribe($0[0]))
        },
        Row(
            "DELETE",
            at: "/emulator/v1/devices/{name}/subscriptions/{topic}",
            documentation: .unsubscribe
        ) {
            .control(.unsubscribe($0[0], topic: $0[1]))
        },
        Row("POST", at: "/emulator/v1/devices/{name}/taps", documentation: .tap) {
            .control(.tap($0[0]))
        },
        Row("GET", at: "/emulator/v1/devices/{name}/log", documentation: .deviceLog) {
            .look(.deviceLog($0[0]))
        },
        Row("GET", at: "/emulator/v1/devices/{name}/inbox", documentation: .inbox) {
            .look(.inbox($0[0]))
        },
        Row("GET", at: "/emulator/v1/devices/{name}/upstream", documentation: .upstreamMessages) {
            .look(.upstreamMessages($0[0]))
        },
        Row("POST", at: "/emulator/v1/devices/{name}/upstream", documentation: .sendUpstream) {
            .control(.sendUpstream($0[0]))
        },
        Row("GET", at: "/emulator/v1/inboxes", documentation: .inboxes) { _ in .look(.inboxes) },
        Row("GET", at: "/emulator/v1/messages", documentation: .messages) { _ in .look(.messages) },
        Row("GET", at: "/emulator/v1/memberships", documentation: .memberships) { _ in
            .look(.memberships)
        },
        Row("GET", at: "/emulator/v1/requests", documentation: .requests) { _ in .look(.requests) },
        Row("GET", at: "/emulator/v1/requests/{seq}", documentation: .request) {
            .look(.request($0[0]))
        },
        Row("GET", at: "/emulator/v1/search/devices", documentation: .searchDevices) { _ in
            .look(.searchDevices)
        },
        Row("GET", at: "/emulator/v1/search/messages", documentation: .searchMessages) { _ in
            .look(.searchMessages)
        },
        Row("GET", at: "/emulator/v1/search/requests", documentation: .searchRequests) { _ in
            .look(.searchRequests)
        },
        Row("GET", at: "/emulator/v1/wait", documentation: .wait) { _ in .look(.wait) },
        Row("GET", at: "/emulator/v1/assert", documentation: .assert) { _ in .look(.assert) },
        Row("GET", at: "/emulator/v1/counters", documentation: .counters) { _ in .look(.counters) },
        Row("GET", at: "/emulator/v1/counters/{digest}", documentation: .counter) {
            .look(.counter(digest: $0[0]))
        },
        Row("GET", at: "/emulator/v1/clock", documentation: .clock) { _ in .look(.clock) },
        Row("PUT", at: "/emulator/v1/clock", documentation: .setClock) { _ in .control(.setClock) },
        Row("GET", at: "/emulator/v1/delivery-options", documentation: .delivery) { _ in
            .look(.delivery)
        },
        Row("PUT", at: "/emulator/v1/delivery-options", documentation: .setDelivery) { _ in
            .control(.setDelivery)
        },
        Row("GET", at: "/emulator/v1/snapshot", documentation: .snapshot) { _ in .look(.snapshot) },
        Row("PUT", at: "/emulator/v1/snapshot", documentation: .restore) { _ in .control(.restore)
        },
        Row("GET", at: "/emulator/v1/faults", documentation: .faults) { _ in .look(.faults) },
        Row("PUT", at: "/emulator/v1/faults", documentation: .setFaults) { _ in .control(.setFaults)
        },
        Row("DELETE", at: "/emulator/v1/faults", documentation: .clearFaults) { _ in
            .control(.clearFaults)
        },
        Row("GET", at: "/emulator/v1/upstream", documentation: .upstream) { _ in .look(.upstream) },
        Row(
            "POST",
            at: "/emulator/v1/upstream/acknowledgements",
            documentation: .acknowledgeUpstream
        ) { _ in .control(.acknowledgeUpstream) },
        Row("POST", at: "/emulator/v1/upstream/drain", documentation: .drainUpstream) { _ in
            .control(.drainUpstream)
        },
        Row("POST", at: "/emulator/v1/reset", documentation: .reset) { _ in .control(.reset) },
    ]
}
