import Diagnostics
import TestSupport
import Testing
import Text

struct AudienceKindTests {
    @Test(.covers("F1.3-target", "M04"))
    func `an audience of two kinds is an error that shows both places`() {
        let files = LoadedFiles(
            campaign: """
                campaign: a
                audience:
                  ‹topic›: tides
                  «registrations»: [angler:1]
                message: {}
                """
        )
        #expect(files.findings == files.expected(.conflictingKeys))
        #expect(files.secondPlaces == files.expectedSecondPlaces)
    }

    @Test func `an audience of three kinds is one finding`() {
        let files = LoadedFiles(
            campaign: """
                campaign: a
                audience: { topic: tides, «condition»: "'tides' in topics", registrations: [a] }
                message: {}
                """
        )
        #expect(files.findings == files.expected(.conflictingKeys))
    }

    @Test(arguments: [
        "audience: { «recipient»: tides }\nmessage: {}\n",
        "audience: { topic: tides }\n«wholly-unlike»: {}\n",
    ])
    func `a misspelled audience kind is one finding`(text: String) {
        let files = LoadedFiles(campaign: "campaign: a\n" + text)
        #expect(files.findings == files.expected(.unknownKey))
    }

    @Test(.covers("F1.3-target")) func `an audience without a kind is an error`() {
        let files = LoadedFiles(campaign: "campaign: a\naudience: «{}»\nmessage: {}\n")
        #expect(files.findings == files.expected(.missingKey))
    }
}
