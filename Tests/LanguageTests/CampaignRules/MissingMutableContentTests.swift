import Diagnostics
import Testing

struct MissingMutableContentTests {
    private static let chart = "https://tidewatch.example/chart.png"

    private static func files(_ apns: String, message: String = "") -> LoadedFiles {
        LoadedFiles(
            campaign: """
                campaign: a
                audience: { topic: tides }
                message: { \(message)apns: { \(apns) } }
                delivery: { ttl: 4h }
                """
        )
    }

    private static func found(_ files: LoadedFiles) -> [Finding] {
        files.findings.filter { $0.rule == .missingMutableContent }
    }

    @Test(arguments: [
        "fcm_options: { image: «\(chart)» }",
        "fcm_options: { image: «\(chart)» }, payload: { aps: { mutable-content: 0 } }",
        "payload: { aps: { sound: default }, picture: «\(chart)» }",
        "payload: { aps: { sound: default }, a: b, clip: «http://a.example/Clip.MP4?size=2» }",
    ])
    func `content for an extension that does not run is a warning`(apns: String) {
        let files = Self.files(apns, message: "notification: { title: Tides }, ")
        #expect(Self.found(files) == files.expected(.missingMutableContent))
        #expect(files.diagnostics.contains { $0.severity == .warning })
    }

    @Test func `an alert of Apple's own is enough`() {
        let files = Self.files(
            "payload: { aps: { alert: Tides } }, fcm_options: { image: «\(Self.chart)» }"
        )
        #expect(Self.found(files) == files.expected(.missingMutableContent))
    }

    @Test(arguments: [
        "fcm_options: { image: \(chart) }, payload: { aps: { mutable-content: 1 } }",
        "payload: { aps: { sound: default }, link: https://tidewatch.example/chart }",
        "payload: { aps: { sound: default }, picture: chart.png }",
    ])
    func `an extension that runs, and other content, are accepted`(apns: String) {
        #expect(Self.found(Self.files(apns, message: "notification: { title: Tides }, ")) == [])
    }

    @Test func `without an alert there is nothing to change`() {
        let apns = "payload: { aps: { badge: 1 } }, fcm_options: { image: \(Self.chart) }"
        #expect(Self.found(Self.files(apns)) == [])
    }
}
