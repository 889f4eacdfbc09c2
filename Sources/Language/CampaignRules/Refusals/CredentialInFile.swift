import Diagnostics
import Text

extension RulePage {
    static let credentialInFile = RulePage(
        .credentialInFile,
        whatItDoes: """
            Finds credentials in `herald.yaml` and in every file below `campaigns/`.

            They are known by their looks, in values, keys, comments and what begins with `x-`: \
            API keys (`AIza…`: those of Android apps, Apple apps, browsers and servers look \
            alike), private keys (PEM, as in a service account's key file, or a bare \
            `private_key`), server keys of FCM's legacy protocols, Google's OAuth tokens and \
            client secrets (`ya29.…`, `1//0…`, `GOCSPX-…`), and the tokens of GitHub, Slack and \
            AWS. A key under `credentials` is one as well.

            No finding shows what it found.
            """,
        whyIsThisBad: """
            Whoever reads the files, or gets the message, can use it, and the files' history \
            keeps it after it was taken out. Private keys and server keys let him send to every \
            device of the project.
            """,
        example: """
            campaign: harbour-map
            about: The map needs the key AIza⟨x×35⟩
            audience: { topic: tides }
            message: { notification: { title: A new map } }
            """,
        useInstead: """
            campaign: harbour-map
            about: The map's key is that of the app
            audience: { topic: tides }
            message: { notification: { title: A new map } }
            """,
        source: """
            Firebase documentation, About FCM messages, Credentials; Google Cloud documentation, \
            Best practices for managing service account keys; RFC 7468
            """
    )
}
