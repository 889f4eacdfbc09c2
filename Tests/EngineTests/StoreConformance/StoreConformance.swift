import State
import Testing

/// The requirements for every state store.
///
/// A store's own tests run the cases as arguments of a parameterised test, each on a new state.
enum StoreConformance {
    static let cases: [StoreCase] =
        identityCases + definitionCases + definitionChangeCases + occurrenceCases + outcomeCases
        + listCases + membershipCases + lockCases + pauseCases + requestCases + resolutionCases
        + historyCases + chainCases + messageIDCases + planCases + compactionCases
}

/// One state that can be opened any number of times, even while it is open.
struct StoreUnderTest: Sendable {
    let open: @Sendable () throws -> any StateStore
}

struct StoreCase: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let run: @Sendable (StoreUnderTest) async throws -> Void

    init(_ sentence: String, _ run: @escaping @Sendable (StoreUnderTest) async throws -> Void) {
        testDescription = sentence
        self.run = run
    }
}
