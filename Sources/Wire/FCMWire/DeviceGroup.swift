package import JSON
import Text

/// `GET /fcm/notification?notification_key_name=NAME`: requests the key of a device group.
///
/// Messages are sent to the key like to a registration (Firebase documentation, Send messages to
/// device groups).
package struct DeviceGroupQuestion: Hashable, Sendable {
    private let name: String

    package init(name: String) {
        self.name = name
    }

    package var path: String {
        "/fcm/notification?notification_key_name=" + name.percentEncoded
    }
}

/// `POST /fcm/notification`: creates a device group, or changes its members (Firebase
/// documentation, Send messages to device groups).
package struct DeviceGroupRequest: Hashable, Sendable {
    package enum Operation: Hashable, Sendable {
        case create
        /// Requires the group's key.
        case add(key: String)
        /// Requires the group's key; removing the last member deletes the group.
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
        if let key = operation.key { body.append("notification_key", value: .string(key)) }
        body.append("registration_ids", value: members)
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

/// FCM's answer to a query or a change of a device group.
package enum DeviceGroupAnswer: Hashable, Sendable {
    case key(String)
    /// FCM's own message, such as `notification_key not found`.
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
