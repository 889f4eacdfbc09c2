import Applying
import RegistrationLists
import RunControl

/// Reads lists from the folder of a scene.
struct FolderListReader: ListAtSendReader {
    private let folder: String
    private let fingerprinter: Fingerprinter
    /// Is called after a list was read, before it is sent to.
    private let afterwards: @Sendable () -> Void

    init(_ scene: PlanScene, afterwards: @escaping @Sendable () -> Void = {}) {
        folder = scene.folder.path
        fingerprinter = scene.fingerprinter
        self.afterwards = afterwards
    }

    func read(
        _ content: ListContent,
        into drafts: ListDrafts
    ) async throws(ListAtSendError) -> ListSurvey {
        do throws(RegistrationListError) {
            let survey = try ListSurvey(
                content.list,
                messages: content.columns.map { [$0] } ?? [],
                directory: folder,
                fingerprinter: fingerprinter,
                keeping: drafts.begin
            )
            afterwards()
            return survey
        } catch {
            throw .list(error)
        }
    }
}
