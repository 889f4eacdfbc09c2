import CampaignModel
import Testing

struct LocaleTests {
    /// RFC 5646, appendix A, and the grandfathered tags of section 2.1.
    @Test(arguments: [
        "de", "fr", "ja", "i-enochian", "zh-Hant", "zh-Hans", "sr-Cyrl", "sr-Latn",
        "zh-cmn-Hans-CN", "cmn-Hans-CN", "zh-yue-HK", "yue-HK", "zh-Hans-CN", "sr-Latn-RS",
        "sl-rozaj", "sl-rozaj-biske", "sl-nedis", "de-CH-1901", "sl-IT-nedis",
        "hy-Latn-IT-arevela", "de-DE", "en-US", "es-419", "de-CH-x-phonebk",
        "az-Arab-x-AZE-derbend", "x-whatever", "qaa-Qaaa-QM-x-southern", "de-Qaaa", "sr-Latn-QM",
        "sr-Qaaa-RS", "en-US-u-islamcal", "zh-CN-a-myext-x-private", "en-a-myext-b-another",
        "en-GB-oed", "I-Klingon", "sgn-BE-FR", "art-lojban", "cel-gaulish", "zh-min-nan",
        "pt-BR", "nb-NO", "abcd", "abcdefgh", "x-a-1", "de-1996", "en-4-ab",
    ])
    func `accepts well-formed tags as they are written`(tag: String) {
        #expect(Locale(tag)?.tag == tag)
    }

    /// The first two are from RFC 5646, appendix A.
    @Test(arguments: [
        "de-419-DE", "a-DE", "nb_NO", "", "-", "de-", "-de", "de--DE", "x", "x-", "de-x", "en-a",
        "en-a-x-b", "en-a-b", "p", "419", "pt-B", "pt-BR-BR", "de-CH-199", "abcdefghi",
        "de-abcdefghi", "zh-min-nan-gan-yue", "abcd-min", "i-nothing", "en US", "en-US.UTF-8",
        "pt-ВR", "i-\u{212A}lingon", "*", "C",
    ])
    func `refuses other texts`(text: String) {
        #expect(Locale(text) == nil)
    }

    @Test(arguments: [
        ("nb_NO", "nb-NO"), ("nb_NO.UTF-8", "nb-NO"), ("de_DE@euro", "de-DE"), ("pt BR", "pt-BR"),
        (" fr ", "fr"), ("zh_Hant_TW", "zh-Hant-TW"), ("en--US", "en-US"),
    ])
    func `suggests the tag that another notation means`(text: String, tag: String) {
        #expect(Locale.meant(by: text)?.tag == tag)
    }

    @Test(arguments: ["", "_", "C", "C.UTF-8", "português", "12", "pt/BR"])
    func `suggests nothing for other texts`(text: String) {
        #expect(Locale.meant(by: text) == nil)
    }

    @Test func `tags that differ only in case are equal`() throws {
        let tags = try ["pt-BR", "PT-br"].map { try #require(Locale($0)) }
        #expect(Set(tags).count == 1)
        #expect(Locale("pt-BR") != Locale("pt-PT"))
        #expect(tags.map(\.description) == ["pt-BR", "PT-br"])
    }
}
