package import DeliveryModel
package import JSON

/// The mode of the model's clock at the start.
package enum EmulatorClockStart: Hashable, Sendable {
    case real
    /// Frozen at a time, or at the model's time if nil; a later time in the log takes precedence.
    case virtual(at: DeliveryMoment?)
}

/// The model's clock: the system clock or a virtual one.
package struct EmulatorClock: Sendable {
    package enum Mode: Hashable, Sendable {
        case real
        case frozen
        /// `rate` seconds of the model pass in one second of the system.
        case running(rate: Double)
    }

    struct Setting: Hashable, Sendable {
        let mode: Mode
        /// The model's time at which the setting takes effect.
        let start: DeliveryMoment
    }

    private let system: @Sendable () -> DeliveryMoment
    private var setting = Setting(mode: .real, start: DeliveryMoment(milliseconds: 0))
    private var systemStart = DeliveryMoment(milliseconds: 0)

    init(system: @escaping @Sendable () -> DeliveryMoment) {
        self.system = system
    }

    package var mode: Mode { setting.mode }

    /// A real clock of the same system.
    var restarted: EmulatorClock { EmulatorClock(system: system) }

    /// The current time of the clock.
    var reading: DeliveryMoment {
        switch setting.mode {
        case .real: return system()
        case .frozen: return setting.start
        case .running(let rate):
            let passed = system().milliseconds - systemStart.milliseconds
            let span = Double(max(0, passed)) * rate
            let limit = Double(DeliveryMoment.last.milliseconds - setting.start.milliseconds)
            return DeliveryMoment(
                milliseconds: setting.start.milliseconds + Int64(min(span, limit))
            )
        }
    }

    mutating func set(_ setting: Setting) {
        self.setting = setting
        systemStart = system()
    }

    /// Continues from the last known time after a restart.
    mutating func resume(at latest: DeliveryMoment) {
        set(Setting(mode: mode, start: latest))
    }
}

extension EmulatorClock {
    /// Decides `PUT /emulator/v1/clock` if the model's time is `now`.
    func decide(_ request: EmulatorRequest, at now: DeliveryMoment) -> Decision {
        do throws(GoogleError) {
            let object = try request.object(as: .clock)
            let setting = try setting(ControlFields(.object(object), at: ""), at: now)
            return Decision(
                answer: .success(setting.mode.json(at: setting.start)),
                effect: .control(.setClock(setting))
            )
        } catch {
            return Decision(answer: error.answer)
        }
    }

    private func setting(
        _ fields: ControlFields,
        at now: DeliveryMoment
    ) throws(GoogleError) -> Setting {
        let start = try start(fields, at: now)
        let rate = try rate(fields)
        let isMoved = start != nil
        switch fields.text("mode") {
        case "REAL":
            guard !isMoved, rate == nil else {
                throw fields.refusal(
                    of: "mode",
                    because: "The system clock and its rate cannot be set."
                )
            }
            return Setting(mode: .real, start: now)
        case "FROZEN":
            guard rate == nil else {
                throw fields.refusal(of: "rate", because: "A frozen clock has no rate.")
            }
            return Setting(mode: .frozen, start: start ?? now)
        case "RUNNING":
            return Setting(mode: .running(rate: rate ?? 1), start: start ?? now)
        default:
            guard isMoved || rate != nil else {
                throw fields.refusal(of: "mode", because: "Set mode, at, advance or rate.")
            }
            let isPlaced = fields.text("at") != nil
            return Setting(mode: mode(rate, isPlaced: isPlaced), start: start ?? now)
        }
    }

    /// Returns the mode if the request omits it: a rate makes the clock run, a time freezes it, and
    /// a step keeps it running or frozen.
    private func mode(_ rate: Double?, isPlaced: Bool) -> Mode {
        if let rate { return .running(rate: rate) }
        if isPlaced { return .frozen }
        return mode == .real ? .running(rate: 1) : mode
    }

    private func start(
        _ fields: ControlFields,
        at now: DeliveryMoment
    ) throws(GoogleError) -> DeliveryMoment? {
        var start: DeliveryMoment?
        if fields.text("at") != nil { start = try fields.moment("at") }
        if let advance = fields.text("advance").flatMap({ DurationText($0) }) {
            guard start == nil else {
                throw fields.refusal(of: "advance", because: "Set at or advance.")
            }
            start = now.advanced(bySeconds: advance.wholeSeconds)
        }
        guard let start else { return nil }
        guard start >= now else {
            throw fields.refusal(
                of: fields.text("at") == nil ? "advance" : "at",
                because: "The clock cannot go backwards: it is \(now.rfc3339)."
            )
        }
        guard start <= .last else {
            throw fields.refusal(of: "advance", because: "That is after the year 9999.")
        }
        return start
    }

    private func rate(_ fields: ControlFields) throws(GoogleError) -> Double? {
        let rate: Double
        switch fields.value["rate"] {
        case .integer(let integer): rate = Double(integer)
        case .number(let number): rate = number
        default: return nil
        }
        guard rate > 0, rate <= 1_000_000 else {
            throw fields.refusal(of: "rate", because: "It must be above 0 and at most 1000000.")
        }
        return rate
    }
}

extension EmulatorClock.Mode {
    /// Returns the clock as the control API shows it.
    package func json(at moment: DeliveryMoment) -> JSONValue {
        switch self {
        case .real: ["mode": "real", "time": .string(moment.rfc3339), "rate": 1]
        case .frozen: ["mode": "frozen", "time": .string(moment.rfc3339), "rate": 0]
        case .running(let rate):
            ["mode": "running", "time": .string(moment.rfc3339), "rate": .number(rate)]
        }
    }
}
