import CampaignLoading
import Diagnostics
import TestSupport
import Testing

/// The credentials are put together here, so that no scanner takes this file for a leak.
@Suite(.covers("C90"))
struct CredentialInFileTests {
    private static func key(_ count: Int) -> String {
        "AIza" + String(repeating: "Sy-_4", count: 7).prefix(count)
            + String(repeating: "x", count: max(0, count - 35))
    }

    private static let serverKey = "AAAAabc_-12:APA91b" + String(repeating: "Hq", count: 67)
    private static let privateKey =
        "-----BEGIN " + "PRIVATE KEY-----\\nMIIEvQIBADAN\\n-----END " + "PRIVATE KEY-----\\n"

    private static func files(_ text: String, audience: String = "topic: tides") -> LoadedFiles {
        LoadedFiles(
            campaign: """
                campaign: a
                audience: { \(audience) }
                message: { data: { key: «"\(text)"» } }
                """
        )
    }

    @Test(arguments: [
        (key(35), "an API key"), ("key=" + key(35) + ".", "an API key"),
        (serverKey, "a server key"), (privateKey, "a private key"),
        (privateKey.replacing("PRIVATE", with: "RSA PRIVATE"), "a private key"),
        ("-----BEGIN " + "PRIVATE KEY-----\\nMIIEvQ", "a private key"),
    ])
    func `a text of the shape of a credential is an error that does not show it`(
        text: String,
        what: String
    ) throws {
        for audience in ["topic: tides", "registrations: [angler:1]"] {
            let files = Self.files(text, audience: audience)
            #expect(files.findings == files.expected(.credentialInFile))
            let diagnostic = try #require(files.diagnostics.first)
            #expect(diagnostic.severity == .error)
            #expect(diagnostic.message.hasSuffix(what))
            let page = DiagnosticTextRenderer(catalog: files.loaded.catalog, useColor: false)
                .render(diagnostic)
            #expect(page.contains("****"))
            for secret in ["Sy-_4", "Hq", "MIIEvQ"] { #expect(!page.contains(secret)) }
        }
    }

    @Test(arguments: [
        key(34), key(36), "x" + key(35), "AIzaSy", "-----BEGIN " + "PUBLIC KEY-----\\nMIIEvQ",
        "-----BEGIN", "AAAA",
    ])
    func `what only looks like one passes`(text: String) {
        #expect(Self.files(text).findings == [])
    }

    @Test func `a key is found anywhere in a message`() {
        let files = LoadedFiles(
            campaign: """
                campaign: a
                audience: { topic: tides }
                message:
                  notification: { title: Tides, image: «"https://maps.example/?key=\(Self.key(35))"» }
                  android: { notification: { channel_id: «\(Self.key(35))» } }
                  webpush: { notification: { extra: { deep: «[{ key: \(Self.key(35)) }]» } } }
                """
        )
        #expect(
            files.findings
                == files.expected(.credentialInFile, .credentialInFile, .credentialInFile)
        )
    }
}
