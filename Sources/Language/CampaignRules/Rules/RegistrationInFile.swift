import Diagnostics
import Text

extension RulePage {
    static let registrationInFile = RulePage(
        .registrationInFile,
        whatItDoes: """
            Finds registrations in the files of a project that has an environment with `fcm`.

            That is a list that stands in a file itself (`registrations: [ … ]`), whatever its \
            registrations look like, but for the one of an `audience:` document with \
            `test: true`; and anything of the shape of a registration token (`…:APA91b…`) in \
            values, keys and comments. The emulator's `devices:` pass, and so does everything \
            where all environments are emulators.

            A file with another error waits, because what is misspelt may be what allows it.
            """,
        whyIsThisBad: """
            Registrations are secrets: whoever knows one and can send for the project, or once \
            could, writes to that device. Files are reviewed, copied and kept for ever.
            """,
        example: """
            === herald.yaml
            version: 1
            project: tidewatch
            environments:
              production: { fcm: { project_id: tidewatch-b5ae1 } }
            === campaigns/example.yaml
            campaign: call-duarte
            audience: { registrations: ["duarte-galaxy:APA91b-tidewatch-0004"] }
            message: { data: { call_id: 7731 } }
            delivery: { ttl: 0, priority: high }
            """,
        useInstead: """
            === herald.yaml
            version: 1
            project: tidewatch
            environments:
              production: { fcm: { project_id: tidewatch-b5ae1 } }
            === campaigns/example.yaml
            campaign: call-duarte
            audience: crew
            message: { data: { call_id: 7731 } }
            delivery: { ttl: 0, priority: high }
            ---
            audience: crew
            registrations: ["duarte-galaxy:APA91b-tidewatch-0004"]
            test: true
            """,
        source: "Firebase documentation, About FCM messages, Credentials: registration tokens"
    )
}
