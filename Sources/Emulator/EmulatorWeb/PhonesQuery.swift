import DeliveryModel
import EmulatorAPI
import JSON

/// `GET /emulator/v1/phones`: a page of the devices, as the web page shows them.
struct PhonesQuestion {
    /// The position of an earlier answer, or nil to request all devices of the page.
    let cursor: PhonesCursor?
    let window: PhonesWindow

    init(_ target: RequestTarget) throws(GoogleError) {
        cursor = target.parameter("after").flatMap { PhonesCursor($0) }
        window = try PhonesWindow(target)
    }
}

extension PageQuery {
    static let phones = PageQuery(path: "/emulator/v1/phones") {
        request,
        core throws(GoogleError) in
        let question = try PhonesQuestion(RequestTarget(request.target))
        var answer = EmulatorAnswer.success(.object(core.state.phones(question))).rendered
        answer.headers.append(("Cache-Control", "no-store"))
        return answer
    }
}

extension EmulatorState {
    fileprivate func phones(_ question: PhonesQuestion) -> JSONObject {
        let window = question.window
        let cursor = PhonesCursor(
            era: deviceEra,
            revision: model.revision,
            window: window.fingerprint
        )
        let known = question.cursor.flatMap { isComplete(window, after: $0) ? nil : $0 }
        let page = model.page(
            of: window.selection,
            window.range,
            changedAfter: known?.revision,
            at: latest
        )
        return [
            "cursor": .string(cursor.text), "complete": .bool(known == nil),
            "matches": .integer(Int64(page.total)),
            "devices": .array(page.devices.map { PhoneView($1).json(at: $0) }),
        ]
    }

    /// Returns whether an answer must contain all devices of the page: the client has none of them,
    /// or a change may have moved them, because they depend on their own state.
    private func isComplete(_ window: PhonesWindow, after known: PhonesCursor) -> Bool {
        guard known.era == deviceEra, known.window == window.fingerprint else { return true }
        let isFixed = window.selection.selectsAll || window.selection.name != nil
        return !isFixed && known.revision != model.revision
    }
}

/// A position in the changes of one page of devices.
struct PhonesCursor: Hashable, Sendable {
    let era: UInt64
    let revision: Int
    /// The fingerprint of the page.
    let window: UInt64

    init(era: UInt64, revision: Int, window: UInt64) {
        self.era = era
        self.revision = revision
        self.window = window
    }

    init?(_ text: String) {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        guard parts.count == 3, let era = UInt64(parts[0], radix: 16), let revision = Int(parts[1]),
            let window = UInt64(parts[2], radix: 16)
        else { return nil }
        self.init(era: era, revision: revision, window: window)
    }

    var text: String { "\(era.hexadecimal)-\(revision)-\(window.hexadecimal)" }
}

/// The devices that a page displays.
struct PhonesWindow: Sendable {
    let selection: PhoneSelection
    /// Positions among the selected devices.
    let range: Range<Int>
    /// A hash of all parameters, the same in every run.
    let fingerprint: UInt64

    /// Default and maximum number of devices.
    static let standard = 200
    static let most = 500

    init(_ target: RequestTarget) throws(GoogleError) {
        selection = PhoneSelection(
            text: target.parameter("search") ?? "",
            platform: try Self.name("platform", of: target),
            state: try Self.name("state", of: target),
            name: target.parameter("device")
        )
        let skipped = try Self.number("skip", of: target, in: 0...Int(Int32.max)) ?? 0
        let limit = try Self.number("limit", of: target, in: 0...Self.most) ?? Self.standard
        range = skipped..<skipped + limit
        let names = ["search", "platform", "state", "device", "skip", "limit"]
        let text = names.map { target.parameter($0) ?? "" }.joined(separator: "\u{0}")
        // FNV-1a (Fowler, Noll and Vo).
        fingerprint = text.utf8.reduce(0xCBF2_9CE4_8422_2325) { hash, byte in
            (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01B3
        }
    }

    /// Reads one of several words; a missing or empty parameter is nil.
    private static func name<Value: RawRepresentable<String> & CaseIterable>(
        _ parameter: String,
        of target: RequestTarget
    ) throws(GoogleError) -> Value? {
        guard let text = target.parameter(parameter), !text.isEmpty else { return nil }
        guard let value = Value(rawValue: text) else {
            let words = Value.allCases.map(\.rawValue).joined(separator: ", ")
            throw .control(parameter, because: "It must be one of \(words).")
        }
        return value
    }

    private static func number(
        _ parameter: String,
        of target: RequestTarget,
        in range: ClosedRange<Int>
    ) throws(GoogleError) -> Int? {
        guard let text = target.parameter(parameter) else { return nil }
        guard let number = Int(text), range.contains(number) else {
            throw .control(
                parameter,
                because: "It must be a number from \(range.lowerBound) to \(range.upperBound)."
            )
        }
        return number
    }
}
