import FCMClient
import FCMWire
import HTTPTransport
import Testing

struct FCMEndpointTests {
    private func endpoint(sender: String? = nil, quotaProject: String? = nil) -> FCMEndpoint {
        FCMEndpoint(
            messaging: "https://fcm.googleapis.com",
            instanceID: "https://iid.googleapis.com",
            project: "harbour-b5ae1",
            sender: sender,
            quotaProject: quotaProject,
            bearer: Bearer(fixed: "owner")
        )
    }

    @Test func `queries each API at its own host`() {
        let endpoint = endpoint()
        let sends = endpoint.send(body: [])
        #expect(
            sends.url == "https://fcm.googleapis.com/v1/projects/harbour-b5ae1/messages:send"
        )
        let info = endpoint.ask(InstanceIDInfo(registration: "a:b"))
        #expect(info.url.hasPrefix("https://iid.googleapis.com/iid/info/"))
        let group = endpoint.ask(DeviceGroupQuestion(name: "g"))
        #expect(group.url.hasPrefix("https://fcm.googleapis.com/fcm/notification?"))
    }

    @Test func `no request waits longer than its time limit`() {
        var endpoint = endpoint()
        endpoint.requestTimeLimit = .seconds(7)
        let changes = [InstanceIDBatch.Change.add, .remove].map {
            TopicSubscriptionChange($0, project: "p", registration: "a", topic: "t")
        }
        let requests =
            changes.map(endpoint.change) + [
                endpoint.send(body: []),
                endpoint.ask(TopicSubscriptionQuestion(project: "p", registration: "a")),
                endpoint.ask(InstanceIDInfo(registration: "a")),
                endpoint.ask(DeviceGroupQuestion(name: "g")),
                endpoint.change(InstanceIDBatch(change: .add, topic: "t"), registrations: ["a"]),
            ]
        for request in requests { #expect(request.timeLimit == .seconds(7), "\(request.url)") }
    }

    @Test func `uses the project number for device groups`() {
        func project(_ endpoint: FCMEndpoint) -> [String] {
            endpoint.ask(DeviceGroupQuestion(name: "g")).headers
                .filter { $0.name == "project_id" }.map(\.value)
        }
        #expect(project(endpoint()) == ["harbour-b5ae1"])
        #expect(project(endpoint(sender: "1029384756")) == ["1029384756"])
    }

    @Test func `a person's requests name the project whose quota they use`() {
        let named = HTTPHeader(name: "x-goog-user-project", value: "harbour-1")
        for (project, isNamed) in [(nil, false), ("harbour-1", true)] {
            let endpoint = endpoint(quotaProject: project)
            for request in [
                endpoint.send(body: []), endpoint.ask(InstanceIDInfo(registration: "a")),
                endpoint.ask(DeviceGroupQuestion(name: "g")),
            ] {
                #expect(request.headers.contains(named) == isNamed)
                #expect(
                    request.headers.first
                        == HTTPHeader(name: "Authorization", value: "Bearer owner")
                )
            }
        }
    }

    @Test func `the next request carries a renewed token`() {
        let bearer = Bearer(fixed: "old")
        let endpoint = FCMEndpoint(server: "http://127.0.0.1:1", project: "p", bearer: bearer)
        bearer.use("new")
        #expect(endpoint.send(body: []).headers.first?.value == "Bearer new")
    }
}
