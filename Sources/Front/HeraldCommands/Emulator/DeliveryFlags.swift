import ArgumentParser
import DeliveryModel
import EmulatorAPI

/// Options for the behaviour of FCM and of the virtual devices in the emulator.
struct DeliveryFlags: ParsableArguments {
    @Option(
        name: .customLong("topic-propagation"),
        help: "Seconds until a new subscriber receives topic messages."
    )
    var topicPropagation: Int64 = 0

    @Option(
        name: .customLong("background-delay"),
        help: "Maximum delay in seconds for background Android apps. Applies to normal priority."
    )
    var backgroundDelay: Int64 = 0

    @Option(
        name: .customLong("apple-background-delay"),
        help: "Maximum delay in seconds of background pushes to Apple apps in the background."
    )
    var appleBackgroundDelay: Int64 = 0

    @Option(
        name: .customLong("delay-seed"),
        help: "Seed for the background delays."
    )
    var seed: UInt64 = 0

    @Flag(
        name: .customLong("lower-priority"),
        help: "Lower the priority of urgent messages that show nothing. Applies to Android apps."
    )
    var lowersPriority = false

    @Flag(
        name: .customLong("no-device-limits"),
        help: "Lift Android's limits: 240 a minute, 5000 an hour, collapsible bursts."
    )
    var liftsDeviceLimits = false

    @Option(
        name: .customLong("fan-out-rate"),
        help: "Devices per second, shared by concurrent fan-outs."
    )
    var fanOutRate = DeliveryOptions().fanOutRate

    @Option(
        name: .customLong("fan-outs"),
        help: "Maximum number of concurrent fan-outs."
    )
    var fanOuts = DeliveryOptions().fanOutsAtOnce

    @Option(
        name: .customLong("excess-fan-outs"),
        help: "Refuse (429) or defer the fan-outs above --fan-outs."
    )
    var excess = DeliveryOptions.Excess.refuse

    func validate() throws {
        let waits = 0...DeliveryOptions.longestWait
        let given = [topicPropagation, backgroundDelay, appleBackgroundDelay]
        guard given.allSatisfy(waits.contains) else {
            throw ValidationError(
                "--topic-propagation, --background-delay and --apple-background-delay must be from 0 "
                    + "to \(DeliveryOptions.longestWait)"
            )
        }
        guard [fanOutRate, fanOuts].allSatisfy((1...1_000_000).contains) else {
            throw ValidationError("--fan-out-rate and --fan-outs must be from 1 to 1000000")
        }
    }

    var options: DeliveryOptions {
        var options = DeliveryOptions()
        options.topicPropagation = topicPropagation * 1_000
        options.backgroundDelay = backgroundDelay * 1_000
        options.appleBackgroundDelay = appleBackgroundDelay * 1_000
        options.seed = seed
        options.lowersPriority = lowersPriority
        options.throttlesDevices = !liftsDeviceLimits
        options.fanOutRate = fanOutRate
        options.fanOutsAtOnce = fanOuts
        options.excess = excess
        return options
    }
}

extension DeliveryOptions.Excess: ExpressibleByArgument {}
