import JSON

/// The recorded effect of a fault, which a replay reproduces.
struct FaultRecord: Sendable {
    enum Effect: Hashable, Sendable {
        case performed
        case performedTwice
        /// All memberships of a batch, except those of the registrations at these indices.
        case performedExcept([Int])
        case withheld
    }

    let rule: String
    let what: String
    let effect: Effect
    /// Whether the client received another answer than the decided one.
    let replacesAnswer: Bool
    /// The original answer of a performed request, if the client did not receive it.
    let concealed: EmulatorAnswer?

    /// The record as one line of JSON.
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

    /// Parses the member `fault` of the log.
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
    /// The status for the log: 0 if the client receives no answer.
    package var loggedStatus: Int { delivery.isAnswered ? status : 0 }

    /// The answer for the log: a string if it is not JSON.
    var loggedBytes: [UInt8] {
        guard delivery.isAnswered else { return Array("null".utf8) }
        // Only an answer from a script can have another format than JSON.
        guard fault != nil else { return bytes }
        let value = JSONValue(parsing: bytes) ?? .string(String(decoding: bytes, as: UTF8.self))
        return value.compactBytes
    }
}
