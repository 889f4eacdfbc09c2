import ArgumentParser
import DeliveryModel
import EmulatorServer

/// The options of `herald emulator` that choose the model's clock.
struct ClockOptions: ParsableArguments {
    enum Kind: String, ExpressibleByArgument, CaseIterable {
        case real
        case virtual
    }

    @Option(
        help: ArgumentHelp(
            "The devices' clock: the system's, or one that stands until it is set.",
            discussion: "Without it the clock is as it was when the emulator ended."
        )
    )
    var clock: Kind?

    @Option(help: "Where a virtual clock stands, as 2026-03-20T07:30:00Z.")
    var at: DeliveryMoment?

    func validate() throws {
        guard at == nil || clock == .virtual else {
            throw ValidationError("--at belongs to --clock virtual")
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
