import CampaignModel
import Presentation
import RegistrationLists
import SystemIO

/// Stores what a source writes in a file without a name, up to a limit.
///
/// Its contents may be registrations, so no other process can open the file, and it disappears with
/// this process. A class, because callbacks write to it.
final class SourceSpool {
    private let source: ListSourceID
    private let folder: String
    private let file: File
    private let limit: Int
    private var size = 0
    private var buffer: [UInt8] = []
    /// Why the output cannot be stored completely.
    private(set) var failure: CommandFailure?

    /// 64 GiB, as for compressed lists.
    static let standardLimit = 64 << 30
    private static let blockSize = 1 << 18

    /// `folder`: an existing directory.
    init(
        of source: ListSourceID,
        in folder: String,
        limit: Int = standardLimit
    ) throws(CommandFailure) {
        self.source = source
        self.folder = folder
        self.limit = limit
        do throws(SystemError) {
            file = try File.unnamed(in: folder)
        } catch {
            throw CommandFailure(.unstorableSource(source, in: folder, because: error.reason))
        }
    }

    /// Returns false if the output is too long or cannot be stored.
    func append(_ bytes: some Collection<UInt8>) -> Bool {
        guard failure == nil else { return false }
        size += bytes.count
        guard size <= limit else {
            failure = CommandFailure(.sourceTooLong(source, limit: "64 GiB"))
            return false
        }
        buffer += bytes
        return buffer.count < Self.blockSize || flush()
    }

    private func flush() -> Bool {
        do throws(SystemError) {
            try file.write(buffer)
            buffer.removeAll(keepingCapacity: true)
            return true
        } catch {
            failure = CommandFailure(.unstorableSource(source, in: folder, because: error.reason))
            return false
        }
    }

    /// Returns the complete output.
    func finish() throws(CommandFailure) -> SourceOutput {
        _ = failure == nil && flush()
        if let failure { throw failure }
        do throws(SystemError) {
            return SourceOutput(try file.duplicate())
        } catch {
            throw CommandFailure(.unstorableSource(source, in: folder, because: error.reason))
        }
    }
}
