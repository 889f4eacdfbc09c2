import Diagnostics
import Text

extension RulePage {
    static let fcmVerdict = RulePage(
        .fcmVerdict,
        whatItDoes: """
            Reports what FCM itself says of a message.

            Only `herald validate --online` and `herald apply --dry-run` ask: each different \
            message once, with `validate_only`, to the topic, the condition or the first \
            registration of the list. Nothing is sent or recorded. A refused message is an error \
            at the field that FCM names. Where FCM refuses the registration and so does not look \
            at the message, as in this example, it is a warning.

            Without `--online` this example gives nothing. With it, the emulator answers \
            UNREGISTERED for a phone that is not among its devices.
            """,
        whyIsThisBad: """
            FCM knows what no file says: registrations of apps that are gone or belong to another \
            project, and limits that its documents leave out.
            """,
        example: """
            campaign: beta-catch-log
            audience: { registrations: campaigns/registrations/beta.txt }
            message: { notification: { title: Try the catch log, body: Log a catch and tell us. } }
            delivery: { ttl: 4h }
            ---
            devices: harbour
            phones:
              - { name: ana, platform: android, registration: "ana-pixel:APA91b-tidewatch-0001" }
            === campaigns/registrations/beta.txt
            ana-nexus:APA91b-tidewatch-0000
            ana-pixel:APA91b-tidewatch-0001
            """,
        useInstead: """
            campaign: beta-catch-log
            audience: { registrations: campaigns/registrations/beta.txt }
            message: { notification: { title: Try the catch log, body: Log a catch and tell us. } }
            delivery: { ttl: 4h }
            ---
            devices: harbour
            phones:
              - { name: ana, platform: android, registration: "ana-pixel:APA91b-tidewatch-0001" }
            === campaigns/registrations/beta.txt
            ana-pixel:APA91b-tidewatch-0001
            """,
        source: "Firebase reference, Method projects.messages.send; Firebase reference, ErrorCode"
    )
}
