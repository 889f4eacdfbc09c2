import Diagnostics
import Testing
import Text

struct MissingKeyTests {
    @Test(arguments: [
        ("«campaign»: a\nmessage: {}\n", 1),
        ("«campaign»: a\naudience: { topic: tides }\n", 1),
        ("«audience»: anglers\n", 1),
        ("«devices»: pier\n", 1),
        ("devices: pier\nphones: [{ «name»: a, platform: web }]\n", 1),
        (
            "campaign: a\naudience: { topic: tides }\nmessage: {}\nschedule: { «timezone»: UTC }\n",
            1
        ),
    ])
    func `a missing key is reported at the first key of its mapping`(text: String, count: Int) {
        let files = LoadedFiles(campaign: text)
        #expect(files.findings == files.expected(.missingKey))
        #expect(files.findings.count == count)
    }

    @Test(arguments: [
        "«version»: 1\n", "«project»: harbour\n",
        "version: 1\nproject: h\nenvironments: { dev: «{}» }\n",
    ])
    func `a project file without a required key is an error`(text: String) {
        let files = LoadedFiles(project: text)
        #expect(files.findings == files.expected(.missingKey))
    }

    @Test(arguments: ["«just text»\n", "«[a, list]»\n", "«3»\n"])
    func `a document must be a mapping`(text: String) {
        let files = LoadedFiles(campaign: text)
        #expect(files.findings == files.expected(.unknownDocument))
    }
}
