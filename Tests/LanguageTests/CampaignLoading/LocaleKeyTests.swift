import CampaignLoading
import CampaignModel
import Diagnostics
import JSON
import Testing
import Text

struct LocaleKeyTests {
    private static func files(_ locales: String) -> LoadedFiles {
        LoadedFiles(
            campaign: """
                campaign: a
                audience: { registrations: ["angler:1"] }
                message: { notification: { title: Tides, body: At 16:42 } }
                locales: \(locales)
                """
        )
    }

    @Test(arguments: [
        ("{ «nb_NO»: { notification: { title: Tidevann } } }", "nb-NO"),
        ("{ «pt_BR.UTF-8»: { notification: { title: Marés } } }", "pt-BR"),
    ])
    func `a tag in another notation is refused with the correct one`(locales: String, tag: String) {
        let files = Self.files(locales)
        let found = files.diagnostics.filter { $0.rule == .localeTag }
        #expect(found.map { Finding($0, files.loaded.catalog) } == files.expected(.localeTag))
        #expect(found.map(\.fix?.replacement) == [tag])
        #expect(found.map(\.help) == [["write `\(tag)`"]])
    }

    @Test func `tags that differ only in case are duplicates`() {
        let files = Self.files("{ ‹pt-BR›: { data: { a: b } }, «pt-br»: { data: { a: c } } }")
        let found = files.diagnostics.filter { $0.rule == .duplicateName }
        #expect(found.map { Finding($0, files.loaded.catalog) } == files.expected(.duplicateName))
        let places = found.flatMap(\.related).map { Finding.Place($0.span, files.loaded.catalog) }
        #expect(places == files.expectedSecondPlaces)
    }

    @Test func `an asterisk covers all other locales with the campaign's own text`() {
        let files = Self.files("{ pt: { data: { a: b } }, \"*\": {} }")
        #expect(!files.diagnostics.contains { $0.rule == .conflictingKeys })
        #expect(files.campaign?.localizations.map(\.locale.tag) == ["pt"])
        #expect(files.campaign?.coversOtherLocales == true)
        #expect(Self.files("{ pt: {} }").campaign?.coversOtherLocales == false)
    }

    @Test func `an asterisk with a text is refused`() {
        let files = Self.files("{ pt: {}, «\"*\"»: { data: { a: b } } }")
        let found = files.diagnostics.filter { $0.rule == .conflictingKeys }
        let places = found.map { Finding($0, files.loaded.catalog) }
        #expect(places == files.expected(.conflictingKeys))
    }

    @Test func `a locale chooses one text`() throws {
        let files = Self.files("{ pt: { notification: { title: Marés } }, nl: {} }")
        let campaign = try #require(files.campaign)
        for (tag, key, title) in [("pt-BR", "pt", "Marés"), ("nl-BE", "nl", "Tides")] {
            let locale = try #require(Locale(tag))
            let chosen = try #require(campaign.localized(for: locale))
            #expect(chosen.key?.tag == key)
            let shown = chosen.campaign.content.value(at: ["notification", "title"])
            #expect(shown?.stringValue == title)
            #expect(chosen.campaign.localizations.isEmpty)
        }
        #expect(campaign.localized(for: try #require(Locale("ja"))) == nil)
    }

    @Test(arguments: ["pt", "zh-Hant-TW", "es-419", "de-CH-1901", "x-harbour"])
    func `every well-formed tag is accepted`(tag: String) {
        let files = Self.files("{ \(tag): { data: { a: b } } }")
        #expect(!files.diagnostics.contains { $0.rule == .localeTag })
        #expect(files.campaign?.localizations.map(\.locale.tag) == [tag])
    }
}
