import Diagnostics
import Testing
import Text

struct DuplicateNameTests {
    @Test(arguments: [
        (
            "campaign: ‹tide›\naudience: { topic: tides }\nmessage: {}\n",
            "campaign: «tide»\naudience: { topic: azores }\nmessage: {}\n"
        ),
        (
            "audience: ‹anglers›\nregistrations: [angler:1]\n",
            "audience: «anglers»\nregistrations: [angler:2]\n"
        ),
        ("messages: { ‹tide›: {} }\n", "messages: { «tide»: {} }\n"),
        (
            "devices: pier\nphones: [{ name: ‹ana›, platform: web, registration: \"a:1\" }]\n",
            "devices: quay\nphones: [{ name: «ana», platform: web, registration: \"a:2\" }]\n"
        ),
    ])
    func `a duplicate name is reported at the second use and shows the first`(
        first: String,
        second: String
    ) {
        let files = LoadedFiles([
            ("herald.yaml", LoadedFiles.smallProject), ("campaigns/a.yaml", first),
            ("campaigns/b.yaml", second),
        ])
        #expect(files.findings == files.expected(.duplicateName))
        #expect(files.secondPlaces == files.expectedSecondPlaces)
    }

    @Test func `a third use also shows the first`() {
        let document = "campaign: tide\naudience: { topic: tides }\nmessage: {}\n"
        let files = LoadedFiles(
            campaign: [document, document, document].joined(separator: "---\n")
        )
        #expect(files.findings.map(\.rule) == [.duplicateName, .duplicateName])
        #expect(files.secondPlaces.map(\.range) == [10..<14, 10..<14])
    }

    @Test func `a campaign and an audience may have the same name`() {
        let files = LoadedFiles(
            campaign: """
                audience: anglers
                registrations: [angler:1]
                ---
                campaign: anglers
                audience: anglers
                message: {}
                """
        )
        #expect(files.findings == [])
    }
}
