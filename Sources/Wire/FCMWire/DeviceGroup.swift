package import JSON
import Text

/// `GET /fcm/notification?notification_key_name=NAME`: the key of a device group, to which a message
/// is sent like to a registration (Firebase documentation, Send messages to device groups).
package struct DeviceGroupQuestion: Hashable, Sendable {
    private let name: String

    package init(name: String) {
        self.name = name
    }

    package var path: String {
        "/fcm/notification?notification_key_name=" + name.percentEncoded
    }
}

/// `POST /fcm/notification`: makes a device group, or changes who is in it (Firebase documentation,
/// Send messages to device groups).
package struct DeviceGroupRequest: Hashable, Sendable {
    package enum Operation: Hashable, Sendable {
        case create
        /// With the group's key.
        case add(key: String)
        /// With the group's key; who takes the last member out deletes the group.
        case remove(key: String)
    }

    package let operation: Operation
    private let name: String

    package init(_ operation: Operation, name: String) {
        self.operation = operation
        self.name = name
    }

    package static let path = "/fcm/notification"

    package func body(registrations: [String]) -> JSONValue {
        let members = JSONValue.array(registrations.map(JSONValue.string))
        var body: JSONObject = [
            "operation": .string(operation.word), "notification_key_name": .string(name),
        ]
        if let key = operation.key { body.append("notification_key", .string(key)) }
        body.append("registration_ids", members)
        return .object(body)
    }
}

extension DeviceGroupRequest.Operation {
    fileprivate var word: String {
        switch self {
        case .create: "create"
        case .add: "add"
        case .remove: "remove"
        }
    }

    fileprivate var key: String? {
        switch self {
        case .create: nil
        case .add(let key), .remove(let key): key
        }
    }
}

/// What FCM answered to a question for a device group, or to a change of one.
package enum DeviceGroupAnswer: Hashable, Sendable {
    case key(String)
    /// FCM's own words, such as `notification_key not found`.
    case refused(String)

    package init(status: Int, body: [UInt8]) {
        let json = JSONValue(parsing: body)
        if status == 200, let key = json?["notification_key"]?.stringValue, !key.isEmpty {
            self = .key(key)
        } else {
            self = .refused(JSONValue.errorText(in: body))
        }
    }
}
