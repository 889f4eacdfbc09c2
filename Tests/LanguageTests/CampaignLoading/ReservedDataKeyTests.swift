import CampaignModel
import Diagnostics
import JSON
import TestSupport
import Testing
import Text

struct ReservedDataKeyTests {
    @Test(
        .covers("C09", "F1.3-data-reserved"),
        arguments: ["from", "message_type", "google.x", "google.", "gcm.notification.title"]
    )
    func `reserved keys are refused in all data`(key: String) {
        let files = LoadedFiles(
            campaign: """
                campaign: a
                audience: { topic: tides }
                message:
                  data: { «\(key)»: a }
                  android: { data: { «\(key)»: a } }
                  webpush: { data: { «\(key)»: a } }
                """
        )
        #expect(
            files.findings
                == files.expected(.reservedDataKey, .reservedDataKey, .reservedDataKey)
        )
    }

    @Test(arguments: ["From", "from_skipper", "message_types", "goggles", "x-y"])
    func `keys that only resemble reserved ones are accepted`(key: String) {
        let files = LoadedFiles(
            campaign: """
                campaign: a
                audience: { topic: tides }
                message: { data: { \(key): a } }
                """
        )
        #expect(files.findings == [])
        #expect(files.campaign?.content.value(at: ["data", key])?.stringValue == "a")
    }
}
