import Diagnostics
import Testing
import Text

struct SecretMaskingTests {
    private static let key = "AIza" + String(repeating: "k", count: 35)

    @Test(arguments: [
        "audience: { topic: \"x:APA91bSECRET\" }", "audience: \"x:APA91bSECRET\"",
        "audience: { condition: \"'x:APA91bSECRET' in topics\" }",
        "audience: { topic: tides }\ndelivery: { ttl: \"x:APA91bSECRET\" }",
        "audience: { topic: tides }\ndelivery: { collapse: \(key) }",
        "audience: { topic: \(key) }",
    ])
    func `no text of a finding repeats a secret`(text: String) throws {
        let files = LoadedFiles(campaign: "campaign: a\n\(text)\nmessage: {}\n")
        let finding = try #require(files.diagnostics.first { $0.rule != .credentialInFile })
        let texts = files.diagnostics.flatMap { [$0.message, $0.label ?? ""] + $0.help }
        #expect(texts.allSatisfy { !$0.contains("APA91bSECRET") && !$0.contains(Self.key) })
        #expect(finding.message.contains("***"))
        #expect(finding.fix == nil)
    }
}
