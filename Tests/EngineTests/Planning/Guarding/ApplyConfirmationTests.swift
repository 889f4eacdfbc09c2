import Planning
import Testing

struct ApplyConfirmationTests {
    struct Case: Sendable {
        let isProtected: Bool
        let isReviewed: Bool
        let saysYes: Bool
        let canAsk: Bool
        let expected: ApplyConfirmation

        init(
            _ isProtected: Bool,
            _ isReviewed: Bool,
            _ saysYes: Bool,
            _ canAsk: Bool,
            _ expected: ApplyConfirmation
        ) {
            self.isProtected = isProtected
            self.isReviewed = isReviewed
            self.saysYes = saysYes
            self.canAsk = canAsk
            self.expected = expected
        }
    }

    @Test(arguments: [
        Case(false, false, false, false, .impossible), Case(false, false, false, true, .asksYes),
        Case(false, false, true, false, .given), Case(false, false, true, true, .given),
        Case(false, true, false, false, .given), Case(false, true, false, true, .given),
        Case(false, true, true, false, .given), Case(false, true, true, true, .given),
        Case(true, false, false, false, .impossible), Case(true, false, false, true, .asksName),
        Case(true, false, true, false, .impossible), Case(true, false, true, true, .asksName),
        Case(true, true, false, false, .given), Case(true, true, false, true, .given),
        Case(true, true, true, false, .given), Case(true, true, true, true, .given),
    ])
    func `chooses the confirmation by protection, review, options and terminal`(
        row: Case
    ) {
        let confirmation = ApplyConfirmation(
            isProtected: row.isProtected,
            isReviewed: row.isReviewed,
            saysYes: row.saysYes,
            canAsk: row.canAsk
        )
        #expect(confirmation == row.expected)
    }
}
