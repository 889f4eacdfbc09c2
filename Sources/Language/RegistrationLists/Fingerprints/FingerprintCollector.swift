import CampaignModel
import SystemIO

/// Collects the fingerprints of a list in its order: in memory or, if there are many, in a file.
struct FingerprintCollector: ~Copyable {
    /// Fingerprints that are held in memory and written at once: 1 MiB.
    static let standardLimit = 1 << 16

    private let folder: String
    private let limit: Int
    private let sortLimit: Int
    private var held: [Fingerprint] = []
    private var file: File?
    private var sort: FingerprintSort?
    private var written = 0

    /// - Parameters:
    ///   - folder: For temporary files.
    ///   - limit: The maximum number of fingerprints that are not in a file.
    ///   - sortLimit: The maximum number of sorted fingerprints in memory.
    init(
        folder: String,
        limit: Int = standardLimit,
        sortLimit: Int = FingerprintSort.standardLimit
    ) {
        self.folder = folder
        self.limit = limit
        self.sortLimit = sortLimit
    }

    var isEmpty: Bool { held.isEmpty && written == 0 }

    mutating func append(_ fingerprint: Fingerprint) throws(SystemError) {
        held.append(fingerprint)
        try flushIfFull()
    }

    mutating func append(_ fingerprints: [Fingerprint]) throws(SystemError) {
        held += fingerprints
        try flushIfFull()
    }

    private mutating func flushIfFull() throws(SystemError) {
        guard held.count > limit else { return }
        if file == nil {
            file = try File.unnamed(in: folder)
            sort = FingerprintSort(folder: folder, limit: sortLimit)
        }
        try flush()
    }

    private mutating func flush() throws(SystemError) {
        try file?.write(held, at: written)
        try sort?.append(held)
        written += held.count
        held.removeAll(keepingCapacity: true)
    }

    /// The result of one pass over a list.
    enum Collected {
        case different(ListFingerprints)
        /// In the order of the list.
        case repeated([Fingerprint])
    }

    consuming func finish() throws(SystemError) -> Collected {
        if file != nil { try flush() }
        guard let ordered = file.take(), let sort = sort.take() else {
            return Repetition(in: held) == nil
                ? .different(ListFingerprints(held)) : .repeated(held)
        }
        guard let sorted = sort.finish() else {
            return .repeated(ordered.fingerprints(in: 0..<written))
        }
        let files = FingerprintFiles(count: written, ordered: ordered, sorted: sorted)
        return .different(ListFingerprints(files))
    }
}

// The same with the errors of lists.
extension FingerprintCollector {
    mutating func add(
        _ fingerprint: Fingerprint,
        of list: RegistrationList
    ) throws(RegistrationListError) {
        do throws(SystemError) { try append(fingerprint) } catch {
            throw Self.error(error, of: list)
        }
    }

    /// Returns the fingerprints if they are different.
    ///
    /// - Throws: `error` with the first repetition.
    consuming func different(
        of list: RegistrationList,
        otherwise error: (Repetition) -> RegistrationListError
    ) throws(RegistrationListError) -> ListFingerprints {
        let collected: Collected
        do throws(SystemError) { collected = try finish() } catch {
            throw Self.error(error, of: list)
        }
        switch collected {
        case .different(let fingerprints): return fingerprints
        case .repeated(let fingerprints):
            guard let repetition = Repetition(in: fingerprints) else {
                return ListFingerprints(fingerprints)
            }
            throw error(repetition)
        }
    }

    private static func error(
        _ error: SystemError,
        of list: RegistrationList
    ) -> RegistrationListError {
        .unreadable(path: list.path ?? "", reason: .noTemporaryFile(error))
    }
}
