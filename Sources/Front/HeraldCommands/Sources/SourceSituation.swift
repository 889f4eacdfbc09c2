import CampaignModel
import Presentation
import Synchronization

/// What reading a source uses of its process.
struct SourceSituation: Sendable {
    /// The project's directory.
    let directory: String
    /// The directory for outputs.
    let folder: String
    /// The environment variables of Herald.
    let variables: [String: String]
    /// Whether the user asked to end.
    let isStopped: @Sendable () -> Bool

    /// Returns the values of variables that a source names.
    ///
    /// - Throws: A failure for the first one that is not set.
    func values(
        of names: [String],
        for source: ListSourceID
    ) throws(CommandFailure) -> [String: String] {
        var values: [String: String] = [:]
        for name in names {
            guard let value = variables[name], !value.isEmpty else {
                throw CommandFailure(.missingSourceVariable(name, of: source))
            }
            values[name] = value
        }
        return values
    }
}

/// A request to end that other threads see.
///
/// A class, because it is shared.
final class SourceStop: Sendable {
    private let flag = Atomic(false)

    var isRaised: Bool { flag.load(ordering: .relaxed) }

    func raise() { flag.store(true, ordering: .relaxed) }
}
