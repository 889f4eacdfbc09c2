import JSON

/// What the log says of a fault, so that a replay does what was done.
struct FaultRecord: Sendable {
    enum Effect: Hashable, Sendable {
        case performed
        case performedTwice
        /// A batch's memberships without those of the registrations at these indices.
        case performedExcept([Int])
        case withheld
    }

    let rule: String
    let what: String
    let effect: Effect
    /// The client got something else than the answer that was decided on.
    let replacesAnswer: Bool
    /// The answer that the client didn't get although its request was performed.
    let concealed: EmulatorAnswer?

    /// One line of JSON.
    var bytes: [UInt8] {
        var object: JSONObject = [
            "rule": .string(rule), "what": .string(what), "effect": .string(effect.name),
        ]
        if case .performedExcept(let indices) = effect, !indices.isEmpty {
            object["except"] = .array(indices.map { .integer(Int64($0)) })
        }
        if let concealed {
            object["concealed"] = [
                "status": .integer(Int64(concealed.status)), "answer": concealed.body,
            ]
        }
        return JSONValue.object(object).compactBytes
    }
}

extension FaultRecord.Effect {
    fileprivate var name: String {
        switch self {
        case .performed, .performedExcept: "performed"
        case .performedTwice: "performed twice"
        case .withheld: "withheld"
        }
    }

    /// Reads the log's member `fault`.
    init?(_ json: JSONValue) {
        switch json["effect"] {
        case "performed"?:
            let indices = (json["except"]?.arrayValue ?? []).compactMap(\.integerValue)
            self = indices.isEmpty ? .performed : .performedExcept(indices.map { Int($0) })
        case "performed twice"?: self = .performedTwice
        case "withheld"?: self = .withheld
        default: return nil
        }
    }
}

extension RenderedAnswer {
    /// What the log gives as the status: 0 where the client gets no answer.
    var loggedStatus: Int { delivery.isAnswered ? status : 0 }

    /// What the log gives as the answer: text where it is no JSON.
    var loggedBytes: [UInt8] {
        guard delivery.isAnswered else { return Array("null".utf8) }
        // Only a script's own answer can be something else than JSON.
        guard fault != nil else { return bytes }
        let value = JSONValue(parsing: bytes) ?? .string(String(decoding: bytes, as: UTF8.self))
        return value.compactBytes
    }
}
