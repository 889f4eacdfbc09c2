import CampaignLoading
import Diagnostics
import Testing

struct RegistrationConcealmentTests {
    private static func shown(_ text: String) -> String {
        let loaded = LoadedFiles(campaign: text).loaded
        return String(decoding: loaded.catalog[SourceID(index: 1)].bytes, as: UTF8.self)
    }

    @Test(arguments: [
        "message: { to: «secret», data: { a: b } }", "to: «secret»",
        "message: { token: «secret» }", "data: { token: «secret» }",
        "variants: { a: { message: { to: «secret» } } }",
    ])
    func `what FCM calls a registration is not shown`(text: String) {
        let stars = String(repeating: "*", count: "secret".utf8.count)
        let written = text.replacing("«", with: "").replacing("»", with: "")
        #expect(Self.shown(written) == text.replacing("«secret»", with: stars))
    }

    @Test(arguments: [
        "message: { data: { from: Ponta Delgada, to: Horta } }",
        "message: { apns: { payload: { message: { to: Horta } } } }",
        "quiet_hours: { from: \"21:00\", to: \"07:00\" }",
    ])
    func `an end or a destination is shown`(text: String) {
        #expect(Self.shown(text) == text)
    }
}
