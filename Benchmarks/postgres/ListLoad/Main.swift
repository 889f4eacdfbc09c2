import CampaignModel
import PostgresClient
import PostgresStore
import RegistrationLists
import State
import StoreTables

/// Stores a list in a PostgreSQL database, as `herald apply` stores it while it checks it.
///
/// `ListLoad ADDRESS LIST` stores a text list in a new state, and `ListLoad ADDRESS LIST sealed` in an
/// encrypted one. Both print the number of registrations, and the seconds from the beginning of the
/// list until it is durable and part of the state.
@main
enum ListLoad {
    static func main() async throws {
        let arguments = CommandLine.arguments
        guard arguments.count == 3 || arguments.count == 4 && arguments[3] == "sealed" else {
            print("usage: ListLoad ADDRESS LIST [sealed]")
            return
        }
        let key =
            arguments.count == 4 ? StateKey(bytes: SystemRandom.bytes(StateKey.size)) : nil
        let address = try PostgresAddress(arguments[1], variables: [:])
        let store = try await PostgresStore.open(
            PostgresPlace(address),
            keys: StateKeys(key: key)
        )
        let fingerprinter = Fingerprinter(key: try await store.identity().fingerprintKey)
        let clock = ContinuousClock()
        let start = clock.now
        let draft = store.draftList(ListShape())
        let survey = try ListSurvey(
            .file(path: arguments[2]),
            directory: "",
            fingerprinter: fingerprinter,
            keeping: { _ in draft }
        )
        try await draft.keep(as: survey.id)
        print(survey.count, (clock.now - start) / .seconds(1))
    }
}
