import Diagnostics
import Text

extension RulePage {
    static let invalidRegistration = RulePage(
        .invalidRegistration,
        whatItDoes: """
            Refuses registrations in YAML that cannot be ones.

            A registration is 1 to 4,096 printable ASCII characters without blanks, quotation \
            marks, commas, semicolons and backslashes. A `live_activity_token` may have these \
            signs, but no blanks. The text itself is never shown, because it is a secret. In the \
            files of lists it is `broken-list-line` that says so.
            """,
        whyIsThisBad: """
            FCM refuses the request for such a registration, and the person behind it gets \
            nothing.
            """,
        example: """
            devices: harbour
            phones:
              - name: ana-pixel
                platform: android
                registration: the phone of Ana
            """,
        useInstead: """
            devices: harbour
            phones:
              - name: ana-pixel
                platform: android
                registration: ana-pixel:APA91b-tidewatch-0001
            """,
        source: """
            Firebase reference, ErrorCode, INVALID_ARGUMENT; Herald, Documentation/Reference/Language.md, \
            Devices
            """
    )
}
