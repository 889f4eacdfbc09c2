package import State
import Testing

/// The requirements for every state store.
///
/// A store's own tests run the cases as arguments of a parameterised test, each on a new state.
package enum StoreCases {
    package static let all: [StoreCase] =
        identityCases + definitionCases + definitionChangeCases + occurrenceCases
        + shortOccurrenceCases + outcomeCases + selectionCases + listCases + membershipCases
        + membershipChangeCases + lockCases
        + pauseCases + requestCases + resolutionCases + historyCases + chainCases
        + messageIDCases + planCases + compactionCases + runnerCases + contactCases
        + experimentCases + fleetCases + recallCases + replyCases

    /// The requirements about content that an encrypted state seals.
    package static let sealed: [StoreCase] =
        identityCases + listCases + membershipCases + membershipChangeCases + replyCases
}

/// One state that can be opened any number of times, even while it is open.
package struct StoreUnderTest: Sendable {
    let open: @Sendable () async throws -> any StateStore

    package init(open: @escaping @Sendable () async throws -> any StateStore) {
        self.open = open
    }
}

package struct StoreCase: Sendable, CustomTestStringConvertible {
    package let testDescription: String
    package let run: @Sendable (StoreUnderTest) async throws -> Void

    init(_ sentence: String, _ run: @escaping @Sendable (StoreUnderTest) async throws -> Void) {
        testDescription = sentence
        self.run = run
    }
}
