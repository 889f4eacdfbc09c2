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
        let seed = wholeNumber(object, "seed", at: "", from: 0).map { UInt64($0) }
        var ids: Set<String> = []
        var rules: [FaultRule] = []
        for (index, element) in (object["rules"]?.arrayValue ?? []).enumerated() {
            let rule = rule(element.objectValue ?? [:], index)
            if rule.id.isEmpty { refuse("rules[\(index)].id", "The id is empty.") }
            if !ids.insert(rule.id).inserted {
                refuse("rules[\(index)].id", "Another rule has the id \(rule.id).")
            }
            rules.append(rule)
        }
        return FaultScript(seed: seed, rules: rules)
    }

    private mutating func rule(_ object: JSONObject, _ index: Int) -> FaultRule {
        let place = "rules[\(index)]"
        let occasion = occasion(object["when"]?.objectValue ?? [:], "\(place).when")
        return FaultRule(
            id: object["id"]?.stringValue ?? "rule-\(index + 1)",
            matcher: matcher(object["match"]?.objectValue ?? [:], "\(place).match"),
            occasion: occasion,
            action: action(object, place, isQuota: occasion.overQuota != nil),
            written: object
        )
    }

    private mutating func matcher(_ object: JSONObject, _ place: String) -> FaultMatcher {
        var matcher = FaultMatcher()
        if let name = object["service"]?.stringValue, let service = FaultService(rawValue: name) {
            matcher.service = service
        }
        matcher.method = object["method"]?.stringValue
        matcher.topic = object["topic"]?.stringValue
        if let topic = matcher.topic, TopicName(topic) == nil {
            refuse("\(place).topic", "This is not a topic name; write it without \"/topics/\".")
        }
        matcher.condition = object["condition"]?.stringValue
        matcher.registration = object["registration"]?.stringValue
        matcher.registrationShare = share(object, "registration_share", at: place)
        matcher.platform = (object["platform"]?.stringValue?.lowercased())
            .flatMap { DevicePlatform(rawValue: $0) }
        return matcher
    }

    private mutating func occasion(_ object: JSONObject, _ place: String) -> FaultOccasion {
        var occasion = FaultOccasion()
        occasion.nth = wholeNumber(object, "nth", at: place, from: 1)
        occasion.every = wholeNumber(object, "every", at: place, from: 1)
        occasion.share = share(object, "share", at: place)
        occasion.from = wholeNumber(object, "from", at: place, from: 1)
        occasion.until = wholeNumber(object, "until", at: place, from: occasion.from ?? 1)
        occasion.fromMoment = moment(object, "from_time", at: place)
        occasion.untilMoment = moment(object, "until_time", at: place)
        occasion.fromSeconds = wholeNumber(object, "from_seconds", at: place, from: 0)
        let earliest = occasion.fromSeconds ?? 0
        occasion.untilSeconds = wholeNumber(object, "until_seconds", at: place, from: earliest)
        occasion.times = wholeNumber(object, "times", at: place, from: 1)
        occasion.overQuota = quota(object["over_quota"]?.objectValue, "\(place).over_quota")
        return occasion
    }

    private mutating func quota(_ object: JSONObject?, _ place: String) -> FaultQuota? {
        guard let object else { return nil }
        guard let limit = wholeNumber(object, "limit", at: place, from: 1, isNeeded: true)
        else { return nil }
        guard let name = object["per"]?.stringValue, let window = FaultQuota.Window(rawValue: name)
        else {
            refuse("\(place).per", "A quota needs a window, SECOND or MINUTE.")
            return nil
        }
        return FaultQuota(limit: limit, window: window)
    }

    private mutating func action(
        _ object: JSONObject,
        _ place: String,
        isQuota: Bool
    ) -> FaultAction {
        var action = FaultAction(isAccepted: true)
        action.isRepeated = object["duplicate"]?.boolValue ?? false
        if let answer = object["answer"]?.objectValue {
            action.answer = self.answer(answer, "\(place).answer")
        } else if isQuota {
            action.answer = FaultAnswer(content: .named(.projectQuotaExceeded))
        }
        if let delivery = object["delivery"]?.objectValue {
            action.delivery = self.delivery(delivery, "\(place).delivery")
        }
        guard action.answer != nil || action.isRepeated || action.delivery != .whole else {
            refuse(place, "A rule needs an answer, a delivery, \"duplicate\": true or a quota.")
            return action
        }
        let needsOwnAnswer = action.answer == nil && action.delivery.isAnswered
        action.isAccepted =
            object["accepted"]?.boolValue ?? (needsOwnAnswer || action.isRepeated)
        if !action.isAccepted && (needsOwnAnswer || action.isRepeated) {
            refuse(
                "\(place).accepted",
                "A message that is not accepted is never delivered: give the rule an answer."
            )
        }
        return action
    }
}

extension FaultScriptReader {
    private mutating func answer(_ object: JSONObject, _ place: String) -> FaultAnswer {
        var answer = FaultAnswer(content: content(object, place))
        answer.headers = headers(object["headers"]?.objectValue ?? [:], "\(place).headers")
        let seconds = wholeNumber(object, "retry_after_seconds", at: place, from: 0)
        let date = wholeNumber(object, "retry_after_date_seconds", at: place, from: 0)
        if seconds != nil && date != nil {
            refuse("\(place).retry_after_date_seconds", "Not allowed with retry_after_seconds.")
        }
        answer.retryAfter = seconds.map { .seconds($0) } ?? date.map { .date(inSeconds: $0) }
        return answer
    }

    private mutating func content(
        _ object: JSONObject,
        _ place: String
    ) -> FaultAnswer.Content {
        let written = ["json", "text", "content_type"].filter { object[$0] != nil }
        if let error = object["error"]?.stringValue.flatMap({ FaultError(rawValue: $0) }) {
            if let name = written.first {
                refuse("\(place).\(name)", "A named error has a fixed body; set status instead.")
            }
            return .named(error)
        }
        let status = wholeNumber(object, "status", at: place, from: 200, isNeeded: true) ?? 200
        if status > 599 { refuse("\(place).status", "A status must be from 200 to 599.") }
        guard let text = object["text"]?.stringValue else {
            if object["content_type"] != nil {
                refuse("\(place).content_type", "Only a text can have a content type.")
            }
            let json = object["json"] ?? [:]
            return .written(status: Int(status), bytes: json.compactBytes, contentType: nil)
        }
        if object["json"] != nil { refuse("\(place).text", "Not allowed with json.") }
        let contentType = object["content_type"]?.stringValue ?? "text/plain; charset=UTF-8"
        if !contentType.isHeaderValue { refuse("\(place).content_type", "It has a line break.") }
        return .written(status: Int(status), bytes: Array(text.utf8), contentType: contentType)
    }

    private mutating func headers(
        _ object: JSONObject,
        _ place: String
    ) -> [(name: String, value: String)] {
        let framing: Set<String> = [
            "connection", "content-length", "keep-alive", "proxy-connection", "transfer-encoding",
            "upgrade",
        ]
        return object.members.map { member in
            let name = member.key.lowercased()
            let value = member.value.stringValue ?? ""
            if !name.isHeaderName || framing.contains(name) {
                refuse("\(place).\(member.key)", "An answer cannot set this header.")
            }
            if !value.isHeaderValue {
                refuse("\(place).\(member.key)", "A header's value must be printable ASCII.")
            }
            return (name, value)
        }
    }

    private mutating func delivery(_ object: JSONObject, _ place: String) -> AnswerDelivery {
        for name in ["never", "half_open", "reset_connection"] {
            guard let isMeant = object[name]?.boolValue else { continue }
            if !isMeant { refuse("\(place).\(name)", "It must be true or omitted.") }
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
        if let number = wholeNumber(object, "delay_milliseconds", at: place, from: 1) {
            return .delayed(milliseconds: Int(number))
        }
        if let number = wholeNumber(object, "bytes_per_second", at: place, from: 1) {
            return .slow(bytesPerSecond: Int(number))
        }
        if let number = wholeNumber(object, "truncate_after_bytes", at: place, from: 0) {
            return .truncated(afterBytes: Int(number))
        }
        if violations.isEmpty { refuse(place, "A delivery needs one of its fields.") }
        return .whole
    }
}

extension FaultScriptReader {
    private mutating func refuse(_ field: String, _ description: String) {
        violations.append(FieldViolation(field: field, description: description))
    }

    private mutating func wholeNumber(
        _ object: JSONObject,
        _ name: String,
        at place: String,
        from least: Int64,
        isNeeded: Bool = false
    ) -> Int64? {
        let field = place.isEmpty ? name : "\(place).\(name)"
        guard let value = object[name] else {
            if isNeeded { refuse(field, "It is required here.") }
            return nil
        }
        guard let number = value.integerValue, number >= least else {
            refuse(field, "It must be a whole number of at least \(least).")
            return nil
        }
        return number
    }

    private mutating func share(
        _ object: JSONObject,
        _ name: String,
        at place: String
    ) -> Double? {
        let number: Double
        switch object[name] {
        case .integer(let integer)?: number = Double(integer)
        case .number(let double)?: number = double
        default: return nil
        }
        guard (0...1).contains(number) else {
            refuse("\(place).\(name)", "A share must be from 0 to 1.")
            return nil
        }
        return number
    }

    private mutating func moment(
        _ object: JSONObject,
        _ name: String,
        at place: String
    ) -> DeliveryMoment? {
        guard let text = object[name]?.stringValue else { return nil }
        guard let moment = DeliveryMoment(instant: text) else {
            refuse("\(place).\(name)", "It must be a UTC time such as 2037-03-20T07:30:00Z.")
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
