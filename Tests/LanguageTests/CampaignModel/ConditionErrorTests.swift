import TestSupport
import Testing

@testable import CampaignModel

struct ConditionErrorTests {
    private static let topic = "a topic in single quotes, `'NAME' in topics`"

    @Test(
        .covers("F3-atom", "F3-sdk"),
        arguments: [
            ("«»", topic),
            ("   «»", topic),
            ("«t»ides in topics", topic),
            ("«\"»tides\" in topics", topic),
            ("'a' in topics && «»", topic),
            ("'a' in topics && «&»& 'b' in topics", topic),
            ("'a' in topics «&» 'b' in topics", "`&&`, `||` or the end"),
            ("'a' in topics «'»b' in topics", "`&&`, `||` or the end"),
            ("'a' in topics «a»nd 'b' in topics", "`&&`, `||` or the end"),
            ("'a' in topics«)»", "`&&`, `||` or the end"),
            ("'a' «=»= topics", "`in topics`"),
            ("'a' in «t»opic", "`in topics`"),
            ("'a' in «t»opicss", "`in topics`"),
            ("'a' «i»ntopics", "`in topics`"),
            ("'a'«»", "`in topics`"),
            ("'a' in «»", "`in topics`"),
            ("'b' in topics || «'a in topics»", "a closing `'`"),
            ("('a' in topics «'»b' in topics)", "`&&`, `||` or `)`"),
            ("(«)»", topic),
            ("!«»", topic),
            ("'a' in topics «!»'b' in topics", "`&&`, `||` or the end"),
            ("'a' in topics && !«&»& 'b' in topics", topic),
            ("«“»tides” in topics", topic),
            ("'a' in topics «🌊»🌊", "`&&`, `||` or the end"),
        ]
    )
    func `points at the unreadable part`(marked: String, expected: String) throws {
        let text = MarkedText(marked)
        let range = try #require(text.places.first)
        #expect(throws: ConditionError(problem: .expected(expected), range: range)) {
            try Condition(parsing: text.text)
        }
    }

    @Test(
        .covers("F3-sdk"),
        arguments: [
            ("'«ti des»' in topics", ConditionError.Problem.invalidTopic("ti des")),
            ("'b' in topics || '«»' in topics", .invalidTopic("")),
            ("'«gezeiten-ü»' in topics", .invalidTopic("gezeiten-ü")),
            ("'a' in topics && !'«b c»' in topics", .invalidTopic("b c")),
            ("!«(»'a' in topics", .unclosedParenthesis),
            ("'a' in topics && «(»'b' in topics", .unclosedParenthesis),
            ("(«(»'b' in topics", .unclosedParenthesis),
        ]
    )
    func `names other errors`(marked: String, problem: ConditionError.Problem) throws {
        let text = MarkedText(marked)
        let range = try #require(text.places.first)
        #expect(throws: ConditionError(problem: problem, range: range)) {
            try Condition(parsing: text.text)
        }
    }
}
