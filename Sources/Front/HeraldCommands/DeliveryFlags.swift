import ArgumentParser
import DeliveryModel
import EmulatorServer

/// Options for the behaviour of FCM and of the virtual devices in the emulator.
struct DeliveryFlags: ParsableArguments {
    @Option(
        name: .customLong("topic-propagation"),
        help: "Seconds until messages to a topic find a new subscriber."
    )
    var topicPropagation: Int64 = 0

    @Option(
        name: .customLong("background-delay"),
        help: "The most seconds that normal priority waits for an Android app in the background."
    )
    var backgroundDelay: Int64 = 0

    @Option(
        name: .customLong("delay-seed"),
        help: "What the waits in the background are drawn from."
    )
    var seed: UInt64 = 0

    @Flag(
        name: .customLong("lower-priority"),
        help: "Lower high priority for Android apps whose urgent messages show nothing."
    )
    var lowersPriority = false

    @Flag(
        name: .customLong("no-device-limits"),
        help: "Lift the rates of Android devices: 240 a minute, 5000 an hour, collapsible bursts."
    )
    var liftsDeviceLimits = false

    @Option(
        name: .customLong("fan-out-rate"),
        help: "Devices a second that the fan-outs share which run at the same time."
    )
    var fanOutRate = DeliveryOptions().fanOutRate

    @Option(
        name: .customLong("fan-outs"),
        help: "Fan-outs that run at the same time."
    )
    var fanOuts = DeliveryOptions().fanOutsAtOnce

    @Option(
        name: .customLong("excess-fan-outs"),
        help: "What becomes of more fan-outs: refuse (429) or defer."
    )
    var excess = DeliveryOptions.Excess.refuse

    func validate() throws {
        let waits = 0...DeliveryOptions.longestWait
        guard [topicPropagation, backgroundDelay].allSatisfy(waits.contains) else {
            throw ValidationError(
                "--topic-propagation and --background-delay are from 0 to "
                    + "\(DeliveryOptions.longestWait)"
            )
        }
        guard [fanOutRate, fanOuts].allSatisfy((1...1_000_000).contains) else {
            throw ValidationError("--fan-out-rate and --fan-outs are from 1 to 1000000")
        }
    }

    var options: DeliveryOptions {
        var options = DeliveryOptions()
        options.topicPropagation = topicPropagation * 1_000
        options.backgroundDelay = backgroundDelay * 1_000
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
