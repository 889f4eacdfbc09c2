import DeliveryModel
import JSON

/// `/fcm/notification` (Firebase documentation, Send messages to device groups).
extension DeliveryBackend {
    func decideDeviceGroup(_ request: EmulatorRequest, sequence: Int) -> Decision {
        do throws(GroupRefusal) {
            guard request.isAuthorized else { throw .unauthorized }
            guard let project = request.projectID, !project.isEmpty else { throw .noProject }
            guard request.method == "POST" else {
                return try lookUp(request, in: project)
            }
            guard let body = request.json?.objectValue else { throw .body }
            switch body["operation"]?.stringValue {
            case "create": return try creating(body, in: project, sequence: sequence)
            case "add": return try adding(body, in: project)
            case "remove": return try removing(body, in: project)
            default: throw .operation
            }
        } catch {
            let status = error == .unauthorized ? 401 : 400
            return Decision(
                answer: EmulatorAnswer(status: status, body: ["error": .string(error.rawValue)])
            )
        }
    }

    private func lookUp(
        _ request: EmulatorRequest,
        in project: String
    ) throws(GroupRefusal) -> Decision {
        guard let name = RequestTarget(request.target).parameter("notification_key_name") else {
            throw .noName
        }
        guard let group = group(DeviceGroupID(project: project, name: name)) else {
            throw .unknownKey
        }
        return Decision(answer: group.answer)
    }

    private func creating(
        _ body: JSONObject,
        in project: String,
        sequence: Int
    ) throws(GroupRefusal) -> Decision {
        guard let name = body["notification_key_name"]?.stringValue, !name.isEmpty else {
            throw .noName
        }
        let id = DeviceGroupID(project: project, name: name)
        guard group(id) == nil else { throw .exists }
        let members = try validMembers(body, in: project)
        guard let key = DeviceRegistration(groupNumber: sequence) else { throw .unknownKey }
        let group = DeviceGroup(id: id, key: key, members: members)
        guard group.members.count <= DeviceGroup.memberLimit else { throw .tooManyMembers }
        return Decision(answer: group.answer, effect: .group(.create(group)))
    }

    private func adding(
        _ body: JSONObject,
        in project: String
    ) throws(GroupRefusal) -> Decision {
        let group = try namedGroup(body, in: project)
        let members = try validMembers(body, in: project)
        guard group.adding(members).members.count <= DeviceGroup.memberLimit else {
            throw .tooManyMembers
        }
        return Decision(answer: group.answer, effect: .group(.add(members, key: group.key)))
    }

    /// Removes members, even if their apps have been removed.
    private func removing(
        _ body: JSONObject,
        in project: String
    ) throws(GroupRefusal) -> Decision {
        let group = try namedGroup(body, in: project)
        let members = try registrations(body)
        return Decision(answer: group.answer, effect: .group(.remove(members, key: group.key)))
    }

    private func namedGroup(
        _ body: JSONObject,
        in project: String
    ) throws(GroupRefusal) -> DeviceGroup {
        guard let key = body["notification_key"]?.stringValue,
            let group = DeviceRegistration(key).flatMap({ group(withKey: $0) }),
            group.id.project == project
        else { throw .unknownKey }
        if let name = body["notification_key_name"]?.stringValue, name != group.id.name {
            throw .otherName
        }
        return group
    }

    /// Returns the members that are registered in the project, and silently omits all others.
    private func validMembers(
        _ body: JSONObject,
        in project: String
    ) throws(GroupRefusal) -> [DeviceRegistration] {
        let valid = try registrations(body).filter { registration in
            device(registeredAs: registration)?.belongs(to: project) ?? false
        }
        guard !valid.isEmpty else { throw .noValidMembers }
        return valid
    }

    private func registrations(_ body: JSONObject) throws(GroupRefusal) -> [DeviceRegistration] {
        guard let elements = body["registration_ids"]?.arrayValue, !elements.isEmpty else {
            throw .noMembers
        }
        return elements.compactMap { $0.stringValue.flatMap { DeviceRegistration($0) } }
    }
}

/// The reason for a refusal, in FCM's wording if it is known.
private enum GroupRefusal: String, Error {
    case unauthorized = "Unauthorized"
    case noProject = "project_id header is missing"
    case body = "JSON_PARSING_ERROR"
    case operation = "operation must be create, add or remove"
    case noName = "notification_key_name is missing"
    case noMembers = "registration_ids are missing"
    case exists = "notification_key already exists"
    case unknownKey = "notification_key not found"
    case otherName = "notification_key_name does not match notification_key"
    case noValidMembers = "no valid registration ids"
    case tooManyMembers = "too many members: a notification_key has at most 20"
}

extension DeviceGroup {
    fileprivate var answer: EmulatorAnswer {
        .success(["notification_key": .string(key.text)])
    }
}

extension DeviceRegistration {
    /// Creates a key that looks like FCM's; the number is that of the request which created the
    /// group.
    fileprivate init?(groupNumber: Int) {
        let first = UInt64(groupNumber).mixed
        self.init("APA91bG\(first.hexadecimal)\(first.mixed.hexadecimal)")
    }
}
