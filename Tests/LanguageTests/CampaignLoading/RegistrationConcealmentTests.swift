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
    func `values under FCM's names for registrations are concealed`(text: String) {
        let stars = String(repeating: "*", count: "secret".utf8.count)
        let written = text.replacing("«", with: "").replacing("»", with: "")
        #expect(Self.shown(written) == text.replacing("«secret»", with: stars))
    }

    @Test(arguments: [
        "message: { data: { from: Ponta Delgada, to: Horta } }",
        "message: { apns: { payload: { message: { to: Horta } } } }",
        "quiet_hours: { from: \"21:00\", to: \"07:00\" }",
    ])
    func `the value of a key named to is shown if it is not a registration`(text: String) {
        #expect(Self.shown(text) == text)
    }

    private static func shown(project text: String) -> String {
        let loaded = LoadedFiles([("herald.yaml", text)]).loaded
        return String(decoding: loaded.catalog[SourceID(index: 0)].bytes, as: UTF8.self)
    }

    @Test(arguments: [
        "fcm: { project_id: harbour, credentails: «hunter2» }",
        "fcm: { project_id: harbour, Credentials: «'{\"a\": \"b\"}'» }",
        "fcm: { project_id: harbour, credentials: «hunter2» }",
        "state: { encription: { key: «c2VjcmV0LWtleQ==» } }",
        "state: { encryption: { kye: «hunter2» } }", "state: { encryption: «hunter2» }",
        "state: { encryption: { previous: «hunter2» } }",
        "emulator: { url: \"http://«user:pass»@127.0.0.1:9099\" }",
        "emulator: { url: \"https://«ana»@harbour.example/\" }",
    ])
    func `a secret in place of a reference or in an address is concealed`(line: String) {
        let text = "environments: { production: { \(line) } }"
        let parts = text.replacing("»", with: "«").split(separator: "«")
        let stars = String(repeating: "*", count: parts[1].utf8.count)
        #expect(Self.shown(project: parts.joined()) == "\(parts[0])\(stars)\(parts[2])")
    }

    @Test(arguments: [
        "fcm: { project_id: harbour, credentials: application-default }",
        "fcm: { project_id: harbour, credentails: env:KEY }",
        "fcm: { credentials: \"${KEY}\" }", "fcm: { credentials: keys/production.json }",
        "state: { encryption: { key: ./state } }", "state: { encryption: { kye: state.key } }",
        "state: { encryption: { key: \"command:pass show state\", previous: env:FORMER } }",
        "emulator: { url: \"http://127.0.0.1:9099/a@b\" }",
        "emulator: { url: \"http://127.0.0.1:9099\" } # write to a@b",
    ])
    func `a reference is shown`(line: String) {
        let text = "environments: { production: { \(line) } }"
        #expect(Self.shown(project: text) == text)
    }
}
