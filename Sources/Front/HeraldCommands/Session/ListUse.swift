import CampaignModel
import RegistrationLists

/// What a command reads lists for.
enum ListUse {
    /// To check all of them.
    case checking
    /// To plan: lists with `read: at_send` are read when their sends begin.
    case planning

    func lists(of project: Project) -> [RegistrationList] {
        switch self {
        case .checking: project.lists
        case .planning: project.plannedLists
        }
    }
}
