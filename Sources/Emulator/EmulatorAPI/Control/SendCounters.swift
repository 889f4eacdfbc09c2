import DeliveryModel
import EmulatorAuth
import JSON

/// Counts the outcomes of sends by content.
struct SendCounters {
    /// Number of requests by outcome.
    struct Tally {
        var accepted = 0
        var refused = 0
        /// Accepted with `validate_only`, and therefore not delivered.
        var validated = 0

        fileprivate mutating func count(_ send: CountedSend) {
            if !send.isAccepted {
                refused += 1
            } else if send.isValidateOnly {
                validated += 1
            } else {
                accepted += 1
            }
        }

        fileprivate var json: JSONObject {
            [
                "accepted": .integer(Int64(accepted)), "refused": .integer(Int64(refused)),
                "validated": .integer(Int64(validated)),
            ]
        }
    }

    /// The sends of one content to one target.
    struct Target {
        /// `token`, `fid`, `topic` or `condition`.
        let kind: String
        let text: String
        var tally = Tally()

        var json: JSONValue {
            var members: JSONObject = [kind: .string(text)]
            for member in tally.json.members { members.append(member.key, value: member.value) }
            return .object(members)
        }
    }

    struct Answer {
        let status: Int64
        let code: String
        var count = 0

        fileprivate var json: JSONValue {
            [
                "status": .integer(status), "code": .string(code),
                "count": .integer(Int64(count)),
            ]
        }
    }

    /// A message without its target, and its outcomes.
    struct Content {
        let digest: String
        let message: JSONValue
        private(set) var tally = Tally()
        private(set) var targets: [Target] = []
        private(set) var answers: [Answer] = []
        private var indexOfTarget: [String: Int] = [:]

        fileprivate init(_ send: CountedSend, digest: String) {
            self.digest = digest
            message = send.message
        }

        fileprivate mutating func count(_ send: CountedSend) {
            tally.count(send)
            if let kind = send.targetKind {
                let index = index(ofTarget: send.target, kind: kind)
                targets[index].tally.count(send)
            }
            if let index = answers.firstIndex(where: {
                $0.status == send.status && $0.code == send.code
            }) {
                answers[index].count += 1
            } else {
                answers.append(Answer(status: send.status, code: send.code, count: 1))
            }
        }

        private mutating func index(ofTarget text: String, kind: String) -> Int {
            let key = "\(kind) \(text)"
            if let index = indexOfTarget[key] { return index }
            indexOfTarget[key] = targets.count
            targets.append(Target(kind: kind, text: text))
            return targets.count - 1
        }

        var json: JSONValue {
            var members: JSONObject = ["digest": .string(digest), "message": message]
            for member in tally.json.members { members.append(member.key, value: member.value) }
            for (name, kinds) in Self.targetCounts {
                let count = targets.filter { kinds.contains($0.kind) }.count
                members.append(name, value: .integer(Int64(count)))
            }
            members.append("answers", value: .array(answers.map(\.json)))
            return .object(members)
        }

        private static let targetCounts = [
            ("registrations", ["token", "fid"]), ("topics", ["topic"]),
            ("conditions", ["condition"]),
        ]
    }

    /// In the order of the first send.
    private(set) var contents: [Content] = []
    private var indexOfDigest: [String: Int] = [:]

    /// Counts a line of the log, unless it is not a v1 send.
    mutating func count(_ line: JSONValue) {
        guard let send = CountedSend(line) else { return }
        let digest = send.message.contentDigest
        if indexOfDigest[digest] == nil {
            indexOfDigest[digest] = contents.count
            contents.append(Content(send, digest: digest))
        }
        if let index = indexOfDigest[digest] { contents[index].count(send) }
    }
}

/// A send as recorded in the log.
private struct CountedSend {
    /// The message without its target; null if the body has no message.
    let message: JSONValue
    /// Nil if the message has no target.
    let targetKind: String?
    let target: String
    let isValidateOnly: Bool
    /// 0 if there was no answer.
    let status: Int64
    /// Whether the request took effect, regardless of its answer.
    let isAccepted: Bool
    /// FCM's error code, or Google's status if there is none; `OK` for an answer without an error.
    let code: String

    init?(_ line: JSONValue) {
        guard let method = line["method"]?.stringValue, let path = line["path"]?.stringValue,
            case .served(.send) = RouteTable.api.match(method, path: RequestTarget(path).path),
            let status = line["status"]?.integerValue
        else { return nil }
        var reader = ShapeReader()
        let request = reader.read(line["body"] ?? .null, as: .sendRequest)
        // The raw body counts as the content if it cannot be parsed.
        let read = reader.violations.isEmpty ? request["message"] : line["body"]?["message"]
        var members = read?.objectValue
        let kind = ["token", "fid", "topic", "condition"].first { members?[$0] != nil }
        targetKind = kind
        target = kind.flatMap { members?[$0]?.stringValue } ?? ""
        if let kind { members?[kind] = nil }
        message = members.map { .object($0) } ?? .null
        isValidateOnly = request["validate_only"]?.boolValue ?? false
        self.status = status
        let fault = line["fault"].flatMap { FaultRecord.Effect($0) }
        isAccepted = fault.map { $0 != .withheld } ?? (status == 200)
        code = line["answer"]?.answerCode ?? ""
    }
}

extension JSONValue {
    /// The first 16 hexadecimal digits of the SHA-256 of the value, as compact JSON with sorted
    /// members.
    fileprivate var contentDigest: String {
        let digits = Array("0123456789abcdef".utf8)
        let bytes = sorted.compactBytes.sha256.prefix(8)
        let text = bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }
        return String(decoding: text, as: UTF8.self)
    }

    private var sorted: JSONValue {
        switch self {
        case .array(let elements): .array(elements.map(\.sorted))
        case .object(let object):
            .object(
                JSONObject(
                    object.members.sorted { $0.key < $1.key }.map {
                        JSONObject.Member(key: $0.key, value: $0.value.sorted)
                    }
                )
            )
        default: self
        }
    }
}
