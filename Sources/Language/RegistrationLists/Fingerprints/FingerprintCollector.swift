import CampaignModel
import SystemIO

/// Collects the fingerprints of a list in its order: in memory or, if there are many, in a file.
struct FingerprintCollector: ~Copyable {
    /// Fingerprints that are held in memory: 4 MiB.
    static let standardLimit = 1 << 18

    private let folder: String
    private let limit: Int
    private let roundSize: Int
    private var held: [Fingerprint] = []
    private var file: File?
    /// What was written to the file.
    private var stretches: [FingerprintStretch] = []
    private var written = 0

    /// Fingerprints that are written at once: 1 MiB.
    private static let stretch = 1 << 16

    /// - Parameters:
    ///   - folder: For temporary files.
    ///   - limit: The maximum number of fingerprints that are only in memory.
    ///   - roundSize: The maximum number of fingerprints that are sorted at once.
    init(
        folder: String,
        limit: Int = standardLimit,
        roundSize: Int = FingerprintSort.standardRoundSize
    ) {
        self.folder = folder
        self.limit = limit
        self.roundSize = roundSize
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
        guard held.count > (file == nil ? limit : Self.stretch) else { return }
        if file == nil { file = try File.unnamed(in: folder) }
        try flush()
    }

    private mutating func flush() throws(SystemError) {
        try file?.write(held, at: written)
        stretches.append(FingerprintStretch(held, at: written))
        let isFirst = written == 0
        written += held.count
        held.removeAll(keepingCapacity: !isFirst)
    }

    /// The result of one pass over a list.
    enum Collected {
        case different(ListFingerprints)
        /// In the order of the list.
        case repeated([Fingerprint])
    }

    consuming func finish() throws(SystemError) -> Collected {
        guard file != nil else {
            return Repetition(in: held) == nil
                ? .different(ListFingerprints(held)) : .repeated(held)
        }
        try flush()
        guard let ordered = file.take() else { return .repeated([]) }
        let (files, areDifferent) = try FingerprintSort.sort(
            ordered,
            stretches: stretches,
            roundSize: roundSize,
            folder: folder
        )
        return areDifferent ? .different(ListFingerprints(files)) : .repeated(files.inOrder())
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
