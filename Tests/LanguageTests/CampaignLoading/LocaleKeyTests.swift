import CampaignLoading
import CampaignModel
import Diagnostics
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

    @Test(arguments: ["pt", "zh-Hant-TW", "es-419", "de-CH-1901", "x-harbour"])
    func `every well-formed tag is accepted`(tag: String) {
        let files = Self.files("{ \(tag): { data: { a: b } } }")
        #expect(!files.diagnostics.contains { $0.rule == .localeTag })
        #expect(files.campaign?.localizations.map(\.locale.tag) == [tag])
    }
}
