import CampaignModel
import SystemIO

/// The result of one pass over the text files of a list, on all cores.
struct TextSurvey {
    let id: ListID
    let fingerprints: ListFingerprints

    /// Returns nil if a line is broken or unusual, or a registration is repeated; the reader of
    /// lines then finds its place.
    ///
    /// `keeper`: gets the rows.
    ///
    /// - Throws: `.unreadable`, `.empty`.
    init?(
        _ list: RegistrationList,
        directory: any ListPlaces,
        fingerprinter: Fingerprinter,
        keeper: (any RowKeeper)?
    ) throws(RegistrationListError) {
        guard let path = list.path, list.format == .text else { return nil }
        let pass = TextPass(
            over: try ListFiles(of: list, in: directory).all,
            fingerprinter: fingerprinter,
            into: TextRecords(
                hasher: ListHasher(ListContent(list)),
                fingerprints: FingerprintCollector(folder: directory.temporaryFolder),
                keeper: keeper
            )
        )
        do throws(TextFault) {
            (id, fingerprints) = try pass.finish()
        } catch {
            switch error {
            case .unusual: return nil
            case .unreadable(let path, let reason): throw .unreadable(path: path, reason: reason)
            case .temporaryFile(let error):
                throw .unreadable(path: path, reason: .noTemporaryFile(error))
            }
        }
        guard fingerprints.count > 0 else { throw .empty(path: path) }
    }
}

/// Why a pass over text ends early.
enum TextFault: Error {
    /// A line is broken or unusual, or a registration is repeated.
    case unusual
    case unreadable(path: String, reason: RegistrationListError.Reason)
    case temporaryFile(SystemError)
}
