import DeliveryModel
import EmulatorAuth
import JSON

/// Applies the configuration of an emulator, unless the log contains it already.
extension EmulatorCore {
    /// Sets the clock as configured, unless it is already so.
    mutating func begin(_ start: EmulatorClockStart) throws(EmulatorError) {
        switch (start, state.clock.mode) {
        case (.real, .real): return
        case (.real, _): try make(clock: ["mode": "real"])
        case (.virtual(let moment), let mode):
            if mode == .frozen, moment.map({ $0 <= state.latest }) ?? true { return }
            state.freeze(at: moment)
            try make(clock: ["mode": "frozen"])
        }
    }

    private mutating func make(clock: JSONValue) throws(EmulatorError) {
        try succeed("PUT", at: "/emulator/v1/clock" + projects.currentQuery, with: clock)
    }

    private mutating func succeed(
        _ method: String,
        at target: String,
        with body: JSONValue
    ) throws(EmulatorError) {
        let answer = handle(
            EmulatorRequest(method: method, target: target, body: body.compactBytes)
        )
        guard answer.status == 200 else {
            throw .directoryUnusable(reason: String(decoding: answer.bytes, as: UTF8.self))
        }
    }

    /// Sets the behaviour of FCM and the devices.
    mutating func set(_ options: DeliveryOptions) throws(EmulatorError) {
        guard options != state.model.options else { return }
        try succeed(
            "PUT",
            at: "/emulator/v1/delivery-options" + projects.currentQuery,
            with: .object(options.json)
        )
    }

    /// Registers the configured service accounts that the log does not contain.
    mutating func register(_ files: [ServiceAccountFile]) throws(EmulatorError) {
        for file in files where !(try file.isKnown(to: state.authority)) {
            let answer = handle(file.registration)
            guard answer.status == 200 else {
                throw .directoryUnusable(reason: String(decoding: answer.bytes, as: UTF8.self))
            }
        }
    }

    /// Adds the configured devices that the log does not contain.
    mutating func seed(_ devices: [DeviceSpecification]) throws(EmulatorError) {
        guard !state.model.knows(devices) else { return }
        do throws(SeedingFailure) {
            try state.model.checkSeeding(of: devices)
        } catch {
            switch error {
            case .registrationTaken(let device, let owner):
                throw .registrationTaken(device: device, by: owner)
            case .tooManyTopics(let device):
                throw .tooManyTopics(device: device)
            }
        }
        try succeed("POST", at: "/emulator/v1/devices", with: .array(devices.map(\.json)))
    }

    /// Sets the fault script of this run, or removes that of the previous run.
    mutating func setFaults(_ script: JSONValue?) throws(EmulatorError) {
        guard script != nil || !state.faults.isEmpty || state.faults.seed != 0 else { return }
        var script = script ?? [:]
        if var object = script.objectValue, object["seed"] == nil {
            object["seed"] = 0
            script = .object(object)
        }
        let answer = handle(
            EmulatorRequest(
                method: "PUT",
                target: "/emulator/v1/faults",
                body: script.compactBytes
            )
        )
        guard answer.status == 200 else {
            throw .faultsRefused(FieldViolation.texts(in: answer))
        }
    }
}
