import FCMWire
import JSON
import Testing

struct DeviceGroupTests {
    @Test(arguments: [
        (
            DeviceGroupRequest.Operation.create,
            #"{"operation":"create","notification_key_name":"crew","registration_ids":["a:1","b:2"]}"#
        ),
        (
            .add(key: "k"),
            """
            {"operation":"add","notification_key_name":"crew","notification_key":"k",\
            "registration_ids":["a:1","b:2"]}
            """
        ),
        (
            .remove(key: "k"),
            """
            {"operation":"remove","notification_key_name":"crew","notification_key":"k",\
            "registration_ids":["a:1","b:2"]}
            """
        ),
    ])
    func `a change names the group, its key and the registrations`(
        operation: DeviceGroupRequest.Operation,
        body: String
    ) {
        let request = DeviceGroupRequest(operation, name: "crew")
        #expect(DeviceGroupRequest.path == "/fcm/notification")
        #expect(request.body(registrations: ["a:1", "b:2"]).compactText == body)
    }
}
