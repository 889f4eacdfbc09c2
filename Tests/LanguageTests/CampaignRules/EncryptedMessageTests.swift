import CampaignLoading
import Diagnostics
import TestSupport
import Testing

struct EncryptedMessageTests {
    private static let list = "{ file: l.csv, public_key: key }"

    /// Returns the findings of a campaign to a list with one valid key.
    private static func files(
        _ message: String,
        encrypt: String = "encrypt: {}",
        list: String = list
    ) throws -> LoadedFiles {
        let folder = try TemporaryFolder()
        try folder.write(
            "l.csv",
            "registration,key,code\na:1,3p7bfXt9wbTTW2HC7OQ1Nz-DQ8hbeGdNrfx-FG-IK08,7\n"
        )
        return LoadedFiles(
            campaign: """
                campaign: a
                audience: { registrations: \(list) }
                message: \(message)
                delivery: { ttl: 4h }
                \(encrypt)
                """,
            directory: folder.path
        )
    }

    private static func found(_ files: LoadedFiles) -> [Finding] {
        files.findings.filter { $0.rule == .encryptedMessage }
    }

    @Test(arguments: [
        ("{ data: { a: \"{{code}}\" } }", "encrypt: {}"),
        ("{ data: { a: b }, android: { priority: HIGH } }", "encrypt: {}"),
        (
            "{ notification: { title: \"{{code}}\" } }",
            "encrypt: { placeholder: { title: New message, body: Open the app } }"
        ),
    ])
    func `accepts a message of which only delivery settings are readable`(
        message: String,
        encrypt: String
    ) throws {
        #expect(Self.found(try Self.files(message, encrypt: encrypt)) == [])
    }

    @Test(arguments: [
        "{ data: { a: b }, «notification»: { title: Hi } }",
        "{ data: { a: b }, android: { «data»: { a: c } } }",
        "{ data: { a: b }, android: { notification: { «title»: Hi } } }",
        "{ data: { a: b }, webpush: { «data»: { a: c } } }",
        "{ data: { a: b }, apns: { payload: { aps: { «alert»: Hi } } } }",
        "{ data: { a: b }, apns: { payload: { «own»: c } } }",
        "{ data: { a: b }, android: { «collapse_key»: \"{{code}}\" } }",
    ])
    func `refuses readable parts at their place`(message: String) throws {
        let files = try Self.files(message)
        #expect(Self.found(files) == files.expected(.encryptedMessage))
        #expect(files.diagnostics.first { $0.rule == .encryptedMessage }?.severity == .error)
    }

    @Test(arguments: [
        ("{ data: { a: b } }", "encrypt: { placeholder: «{ title: Hi }» }"),
        ("{}", "encrypt: «{}»"),
        ("{ notification: { title: a } }", "encrypt: { placeholder: «{ title: \"{{code}}\" }» }"),
    ])
    func `refuses a placeholder or an encryption without effect`(
        message: String,
        encrypt: String
    ) throws {
        let files = try Self.files(message, encrypt: encrypt)
        #expect(Self.found(files) == files.expected(.encryptedMessage))
    }

    @Test func `refuses a list without keys`() throws {
        let files = try Self.files(
            "{ data: { a: b } }",
            encrypt: "encrypt: «{}»",
            list: "l.csv"
        )
        #expect(Self.found(files) == files.expected(.encryptedMessage))
    }
}
