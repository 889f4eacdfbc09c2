import ArgumentParser
import DeliveryModel
import EmulatorAPI

/// The options of `herald emulator` that choose the model's clock.
struct ClockOptions: ParsableArguments {
    enum Kind: String, ExpressibleByArgument, CaseIterable {
        case real
        case virtual
    }

    @Option(
        help: ArgumentHelp(
            "Clock of the devices. A virtual clock moves only when it is set.",
            discussion: "The default is the emulator's previous clock."
        )
    )
    var clock: Kind?

    @Option(help: "Time of a virtual clock, such as 2026-03-20T07:30:00Z.")
    var at: DeliveryMoment?

    func validate() throws {
        guard at == nil || clock == .virtual else {
            throw ValidationError("--at requires --clock virtual")
        }
    }

    /// The initial clock; nil if no option sets it.
    var start: EmulatorClockStart? {
        switch clock {
        case nil: nil
        case .real?: .real
        case .virtual?: .virtual(at: at)
        }
    }
}

extension DeliveryMoment: ExpressibleByArgument {
    package init?(argument: String) {
        self.init(instant: argument)
    }
}
