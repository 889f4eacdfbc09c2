package import DeliveryModel
import JSON
import Text

/// What the XMPP connections of app servers need from the core.
extension EmulatorCore {
    /// Returns the app server that a sender ID names, or nil if its project has another sender ID.
    package mutating func appServer(ofSender sender: String) -> AppServer? {
        let project = projects.owner(of: projects.project(ofSender: sender)) ?? ""
        let known = visit(project) { $0.model.upstreamSender }
        guard known == nil || known == sender else { return nil }
        return AppServer(project: project, sender: sender)
    }

    /// The time of a project.
    package mutating func moment(of project: String) -> DeliveryMoment {
        visit(project) { $0.latest }
    }

    /// Returns up to `limit` unacknowledged messages with numbers above `number`, in order.
    package mutating func upstreamDeliveries(
        for server: AppServer,
        after number: Int,
        limit: Int
    ) -> [UpstreamDelivery] {
        visit(server.project) {
            $0.model.upstreamQueue.deliveries(after: number, for: server.sender, limit: limit)
        }
    }

    /// The number of orders to drain the connections of a project.
    package mutating func upstreamDrains(of project: String) -> Int {
        visit(project) { $0.model.upstreamDrains }
    }

    /// Returns when the device of a registration received a message, and its app.
    package mutating func receipt(
        of id: MessageID,
        by registration: DeviceRegistration,
        in project: String
    ) -> (at: DeliveryMoment, category: String?)? {
        visit(project) { $0.model.receipt(of: id, by: registration) }
    }

    /// Acknowledges a message as the control API does, and records it.
    package mutating func acknowledgeUpstream(_ key: UpstreamKey, of project: String) {
        let query = project.isEmpty ? "" : "?project=" + project.percentEncoded
        let body: JSONValue = [
            "registration": .string(key.registration), "message_id": .string(key.id),
        ]
        _ = take(
            EmulatorRequest(
                method: "POST",
                target: "/emulator/v1/upstream/acknowledgements" + query,
                body: body.compactBytes
            )
        )
    }

    var upstreamCounts: JSONObject {
        var members = state.model.upstreamCounts.json
        let count = appServerConnections[projects.currentID] ?? 0
        members["connections"] = .integer(Int64(count))
        return members
    }

    /// Reads the state of a project, which stays as it is if it is not known.
    private mutating func visit<Value>(
        _ project: String,
        body: (EmulatorState) -> Value
    ) -> Value {
        let current = projects.currentID
        if projects.knows(project) { enter(project) }
        state.lookAtClock()
        let value = body(state)
        enter(current)
        return value
    }
}
