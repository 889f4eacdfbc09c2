import Applying
import RegistrationLists

/// Reads lists from the folder of a scene.
struct FolderListReader: ListAtSendReader {
    private let folder: String
    private let fingerprinter: Fingerprinter
    /// Is called after a list was read, before it is stored.
    private let afterwards: @Sendable () -> Void

    init(_ scene: PlanScene, afterwards: @escaping @Sendable () -> Void = {}) {
        folder = scene.folder.path
        fingerprinter = scene.fingerprinter
        self.afterwards = afterwards
    }

    func read(_ content: ListContent) async throws(ListAtSendError) -> ListAtSendContent {
        do throws(RegistrationListError) {
            let survey = try ListSurvey(
                content.list,
                messages: content.columns.map { [$0] } ?? [],
                directory: folder,
                fingerprinter: fingerprinter
            )
            afterwards()
            return ListAtSendContent(survey: survey, places: folder)
        } catch {
            throw .list(error)
        }
    }
}
