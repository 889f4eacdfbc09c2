import Testing
import Text

struct PercentEncodingTests {
    @Test func `keeps unreserved characters and colons`() {
        #expect("aZ09-._~:".percentEncoded == "aZ09-._~:")
        #expect("a b/ü%".percentEncoded == "a%20b%2F%C3%BC%25")
        #expect("a/b:c".percentEncoded(keeping: "/") == "a/b%3Ac")
        #expect("\t".percentEncoded(keeping: "") == "%09")
    }

    @Test(arguments: [
        ("a%20b%2f%C3%BC", "a b/ü"), ("", ""), ("%", nil), ("%2", nil), ("%zz", nil),
        ("%+5", nil), ("%FF", nil),
    ])
    func `decodes only valid percent-encoding`(text: String, decoded: String?) {
        #expect(text.percentDecoded == decoded)
    }

    @Test(arguments: [("a+b%2Bc", "a b+c"), ("%20+", "  "), ("", ""), ("%zz", "%zz")])
    func `a plus sign in a form is a space`(text: String, decoded: String) {
        #expect(Substring(text).formDecoded == decoded)
    }
}
