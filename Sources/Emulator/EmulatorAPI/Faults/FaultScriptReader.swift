import DeliveryModel
import JSON

extension FaultScript {
    /// Parses a script and reports every error with its position.
    init(_ json: JSONValue?) throws(GoogleError) {
        guard let json else {
            let text = "Invalid JSON payload received. Unexpected token."
            throw .malformedRequest([FieldViolation(description: text)])
        }
        var shape = ShapeReader()
        let object = shape.read(json, as: .faultScript)
        guard shape.violations.isEmpty else { throw .malformedRequest(shape.violations) }
        var reader = FaultScriptReader()
        self = reader.script(object)
        guard reader.violations.isEmpty else { throw .malformedRequest(reader.violations) }
    }
}

/// Parses a script whose shape is valid, and checks its values.
private struct FaultScriptReader {
    private(set) var violations: [FieldViolation] = []

    mutating func script(_ object: JSONObject) -> FaultScript {
        let seed = wholeNumber(in: object, named: "seed", at: "", from: 0).map { UInt64($0) }
        var ids: Set<String> = []
        var rules: [FaultRule] = []
        for (index, element) in (object["rules"]?.arrayValue ?? []).enumerated() {
            let rule = rule(element.objectValue ?? [:], at: index)
            if rule.id.isEmpty { refuse("rules[\(index)].id", because: "The id is empty.") }
            if !ids.insert(rule.id).inserted {
                refuse("rules[\(index)].id", because: "Another rule has the id \(rule.id).")
            }
            rules.append(rule)
        }
        return FaultScript(seed: seed, rules: rules)
    }

    private mutating func rule(_ object: JSONObject, at index: Int) -> FaultRule {
        let place = "rules[\(index)]"
        let occasion = occasion(object["when"]?.objectValue ?? [:], at: "\(place).when")
        return FaultRule(
            id: object["id"]?.stringValue ?? "rule-\(index + 1)",
            matcher: matcher(object["match"]?.objectValue ?? [:], at: "\(place).match"),
            occasion: occasion,
            action: action(object, at: place, isQuota: occasion.overQuota != nil),
            written: object
        )
    }

    private mutating func matcher(_ object: JSONObject, at place: String) -> FaultMatcher {
        var matcher = FaultMatcher()
        if let name = object["service"]?.stringValue, let service = FaultService(rawValue: name) {
            matcher.service = service
        }
        matcher.method = object["method"]?.stringValue
        matcher.topic = object["topic"]?.stringValue
        if let topic = matcher.topic, TopicName(topic) == nil {
            refuse(
                "\(place).topic",
                because: "This is not a topic name; write it without \"/topics/\"."
            )
        }
        matcher.condition = object["condition"]?.stringValue
        matcher.registration = object["registration"]?.stringValue
        matcher.registrationShare = share(in: object, named: "registration_share", at: place)
        matcher.platform = (object["platform"]?.stringValue?.lowercased())
            .flatMap { DevicePlatform(rawValue: $0) }
        return matcher
    }

    private mutating func occasion(_ object: JSONObject, at place: String) -> FaultOccasion {
        var occasion = FaultOccasion()
        occasion.nth = wholeNumber(in: object, named: "nth", at: place, from: 1)
        occasion.every = wholeNumber(in: object, named: "every", at: place, from: 1)
        occasion.share = share(in: object, named: "share", at: place)
        occasion.from = wholeNumber(in: object, named: "from", at: place, from: 1)
        occasion.until = wholeNumber(
            in: object,
            named: "until",
            at: place,
            from: occasion.from ?? 1
        )
        occasion.fromMoment = moment(in: object, named: "from_time", at: place)
        occasion.untilMoment = moment(in: object, named: "until_time", at: place)
        occasion.fromSeconds = wholeNumber(in: object, named: "from_seconds", at: place, from: 0)
        let earliest = occasion.fromSeconds ?? 0
        occasion.untilSeconds = wholeNumber(
            in: object,
            named: "until_seconds",
            at: place,
            from: earliest
        )
        occasion.times = wholeNumber(in: object, named: "times", at: place, from: 1)
        occasion.overQuota = quota(object["over_quota"]?.objectValue, at: "\(place).over_quota")
        return occasion
    }

    private mutating func quota(_ object: JSONObject?, at place: String) -> FaultQuota? {
        guard let object else { return nil }
        guard
            let limit = requiredNumber(in: object, named: "limit", at: place, from: 1)
        else { return nil }
        guard let name = object["per"]?.stringValue, let window = FaultQuota.Window(rawValue: name)
        else {
            refuse("\(place).per", because: "A quota needs a window, SECOND or MINUTE.")
            return nil
        }
        return FaultQuota(limit: limit, window: window)
    }

    private mutating func action(
        _ object: JSONObject,
        at place: String,
        isQuota: Bool
    ) -> FaultAction {
        var action = FaultAction(isAccepted: true)
        action.isRepeated = object["duplicate"]?.boolValue ?? false
        if let answer = object["answer"]?.objectValue {
            action.answer = self.answer(answer, at: "\(place).answer")
        } else if isQuota {
            action.answer = FaultAnswer(content: .named(.projectQuotaExceeded))
        }
        if let delivery = object["delivery"]?.objectValue {
            action.delivery = self.delivery(delivery, at: "\(place).delivery")
        }
        guard action.answer != nil || action.isRepeated || action.delivery != .whole else {
            refuse(
                place,
                because: "A rule needs an answer, a delivery, \"duplicate\": true or a quota."
            )
            return action
        }
        let needsOwnAnswer = action.answer == nil && action.delivery.isAnswered
        action.isAccepted =
            object["accepted"]?.boolValue ?? (needsOwnAnswer || action.isRepeated)
        if !action.isAccepted && (needsOwnAnswer || action.isRepeated) {
            refuse(
                "\(place).accepted",
                because:
                    "A message that is not accepted is never delivered: give the rule an answer."
            )
        }
        return action
    }
}

extension FaultScriptReader {
    private mutating func answer(_ object: JSONObject, at place: String) -> FaultAnswer {
        var answer = FaultAnswer(content: content(object, at: place))
        answer.headers = headers(object["headers"]?.objectValue ?? [:], at: "\(place).headers")
        let seconds = wholeNumber(in: object, named: "retry_after_seconds", at: place, from: 0)
        let date = wholeNumber(in: object, named: "retry_after_date_seconds", at: place, from: 0)
        if seconds != nil && date != nil {
            refuse(
                "\(place).retry_after_date_seconds",
                because: "Not allowed with retry_after_seconds."
            )
        }
        answer.retryAfter = seconds.map { .seconds($0) } ?? date.map { .date(inSeconds: $0) }
        return answer
    }

    private mutating func content(
        _ object: JSONObject,
        at place: String
    ) -> FaultAnswer.Content {
        let written = ["json", "text", "content_type"].filter { object[$0] != nil }
        if let error = object["error"]?.stringValue.flatMap({ FaultError(rawValue: $0) }) {
            if let name = written.first {
                refuse(
                    "\(place).\(name)",
                    because: "A named error has a fixed body; set status instead."
                )
            }
            return .named(error)
        }
        let status =
            requiredNumber(in: object, named: "status", at: place, from: 200) ?? 200
        if status > 599 { refuse("\(place).status", because: "A status must be from 200 to 599.") }
        guard let text = object["text"]?.stringValue else {
            if object["content_type"] != nil {
                refuse("\(place).content_type", because: "Only a text can have a content type.")
            }
            let json = object["json"] ?? [:]
            return .written(status: Int(status), bytes: json.compactBytes, contentType: nil)
        }
        if object["json"] != nil { refuse("\(place).text", because: "Not allowed with json.") }
        let contentType = object["content_type"]?.stringValue ?? "text/plain; charset=UTF-8"
        if !contentType.isHeaderValue {
            refuse("\(place).content_type", because: "It has a line break.")
        }
        return .written(status: Int(status), bytes: Array(text.utf8), contentType: contentType)
    }

    private mutating func headers(
        _ object: JSONObject,
        at place: String
    ) -> [(name: String, value: String)] {
        let framing: Set<String> = [
            "connection", "content-length", "keep-alive", "proxy-connection", "transfer-encoding",
            "upgrade",
        ]
        return object.members.map { member in
            let name = member.key.lowercased()
            let value = member.value.stringValue ?? ""
            if !name.isHeaderName || framing.contains(name) {
                refuse("\(place).\(member.key)", because: "An answer cannot set this header.")
            }
            if !value.isHeaderValue {
                refuse(
                    "\(place).\(member.key)",
                    because: "A header's value must be printable ASCII."
                )
            }
            return (name, value)
        }
    }

    private mutating func delivery(_ object: JSONObject, at place: String) -> AnswerDelivery {
        for name in ["never", "half_open", "reset_connection"] {
            guard let isMeant = object[name]?.boolValue else { continue }
            if !isMeant { refuse("\(place).\(name)", because: "It must be true or omitted.") }
            return name == "never" ? .never : name == "half_open" ? .halfOpen : .resetConnection
        }
        if let code = object["reset_stream"]?.stringValue.flatMap({ HTTP2ErrorName(rawValue: $0) })
        {
            return .resetStream(errorCode: code.number)
        }
        if let goAway = object["go_away"]?.objectValue {
            let code = goAway["error_code"]?.stringValue.flatMap { HTTP2ErrorName(rawValue: $0) }
            let isBefore = goAway["last_stream"] == "BEFORE_THIS"
            return .goAway(
                errorCode: (code ?? .noError).number,
                lastStream: isBefore ? .beforeThisStream : .thisStream
            )
        }
        if let number = wholeNumber(in: object, named: "delay_milliseconds", at: place, from: 1) {
            return .delayed(milliseconds: Int(number))
        }
        if let number = wholeNumber(in: object, named: "bytes_per_second", at: place, from: 1) {
            return .slow(bytesPerSecond: Int(number))
        }
        if let number = wholeNumber(in: object, named: "truncate_after_bytes", at: place, from: 0) {
            return .truncated(afterBytes: Int(number))
        }
        if violations.isEmpty { refuse(place, because: "A delivery must have at least one field.") }
        return .whole
    }
}

extension FaultScriptReader {
    private mutating func refuse(_ field: String, because description: String) {
        violations.append(FieldViolation(field: field, description: description))
    }

    private mutating func requiredNumber(
        in object: JSONObject,
        named name: String,
        at place: String,
        from least: Int64
    ) -> Int64? {
        if object[name] == nil {
            refuse(Self.field(name, at: place), because: "It is required here.")
        }
        return wholeNumber(in: object, named: name, at: place, from: least)
    }

    private static func field(_ name: String, at place: String) -> String {
        place.isEmpty ? name : "\(place).\(name)"
    }

    private mutating func wholeNumber(
        in object: JSONObject,
        named name: String,
        at place: String,
        from least: Int64
    ) -> Int64? {
        guard let value = object[name] else { return nil }
        guard let number = value.integerValue, number >= least else {
            let field = Self.field(name, at: place)
            refuse(field, because: "It must be a whole number of at least \(least).")
            return nil
        }
        return number
    }

    private mutating func share(
        in object: JSONObject,
        named name: String,
        at place: String
    ) -> Double? {
        let number: Double
        switch object[name] {
        case .integer(let integer)?: number = Double(integer)
        case .number(let double)?: number = double
        default: return nil
        }
        guard (0...1).contains(number) else {
            refuse("\(place).\(name)", because: "A share must be from 0 to 1.")
            return nil
        }
        return number
    }

    private mutating func moment(
        in object: JSONObject,
        named name: String,
        at place: String
    ) -> DeliveryMoment? {
        guard let text = object[name]?.stringValue else { return nil }
        guard let moment = DeliveryMoment(instant: text) else {
            refuse(
                "\(place).\(name)",
                because: "It must be a UTC time such as 2037-03-20T07:30:00Z."
            )
            return nil
        }
        return moment
    }
}

extension String {
    /// Whether the text is a token of RFC 9110, section 5.6.2.
    fileprivate var isHeaderName: Bool {
        !isEmpty
            && utf8.allSatisfy { byte in
                byte.isASCIILetterOrDigit || "!#$%&'*+-.^_`|~".utf8.contains(byte)
            }
    }

    fileprivate var isHeaderValue: Bool { utf8.allSatisfy { (0x20...0x7E).contains($0) } }
}

extension UInt8 {
    fileprivate var isASCIILetterOrDigit: Bool {
        switch self {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default: false
        }
    }
}
