import ArgumentParser
import FoundationEssentials
import JSON
import Presentation

/// Options of `herald emulator` that inject failures.
struct FaultOptions: ParsableArguments {
    @Option(help: "JSON script that selects which requests fail, and how.")
    var faults: String?

    @Option(help: "Seed for the script's random choices.")
    var seed: Int64?

    func validate() throws {
        guard seed.map({ $0 >= 0 }) ?? true else {
            throw ValidationError("a seed must not be negative")
        }
    }

    /// The fault script including the seed; nil if neither option is given.
    func script() throws(CommandFailure) -> JSONValue? {
        guard faults != nil || seed != nil else { return nil }
        var script = try faults.map(read) ?? JSONValue.object([:])
        if let seed, var object = script.objectValue {
            object["seed"] = .integer(seed)
            script = .object(object)
        }
        return script
    }

    private func read(_ path: String) throws(CommandFailure) -> JSONValue {
        let shown = TextStyle.safe(path)
        guard let data = try? Data(contentsOf: URL(filePath: path)) else {
            throw CommandFailure(.unreadable(shown), exit: .invalidFiles)
        }
        guard let script = JSONValue(parsing: Array(data)) else {
            throw CommandFailure(.notJSON(shown), exit: .invalidFiles)
        }
        return script
    }
}
