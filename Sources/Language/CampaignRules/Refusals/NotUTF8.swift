import Diagnostics
import Text

extension RulePage {
    static let notUTF8 = RulePage(
        .notUTF8,
        whatItDoes: """
            Refuses YAML files that are not in UTF-8.

            YAML would also allow UTF-16 and UTF-32; Herald takes what FCM takes. A byte order \
            mark of UTF-8 at the beginning is passed over. UTF-16 and UTF-32 are known by their \
            byte order marks and by the zeros beside their first character, everything else is \
            refused at the first byte that is part of no character. Lists are read \
            line by line and say so under `broken-list-line`.
            """,
        whyIsThisBad: """
            FCM takes UTF-8 only, and in another encoding the same bytes are other letters: people \
            would read a text that its author never saw.
            """,
        example: """
            === campaigns/example.yaml in ISO 8859-1
            campaign: spring-tide
            audience: { topic: tides }
            message:
              notification: { title: Marés vivas, body: Correntes até quatro nós. }
            delivery: { ttl: 4h }
            """,
        useInstead: """
            === campaigns/example.yaml
            campaign: spring-tide
            audience: { topic: tides }
            message:
              notification: { title: Marés vivas, body: Correntes até quatro nós. }
            delivery: { ttl: 4h }
            """,
        source: "YAML 1.2.2, section 5.2; Firebase reference, REST resource projects.messages"
    )
}
