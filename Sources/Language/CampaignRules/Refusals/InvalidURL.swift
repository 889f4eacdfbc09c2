import Diagnostics
import Text

extension RulePage {
    static let invalidURL = RulePage(
        .invalidURL,
        whatItDoes: """
            Refuses addresses that a key does not take.

            An `image` is `http://` or `https://`, a web push `link` is `https://`, both without \
            blanks. The `url` of an emulator is on this machine, such as `http://127.0.0.1:9099`; \
            the host may also be `localhost` or `[::1]`. The `postgres` of a state is \
            `postgresql://` or `postgres://`.
            """,
        whyIsThisBad: """
            A device cannot fetch a picture from a path without a server, and FCM refuses a link \
            that is not `https://`. An emulator elsewhere might be somebody's production.
            """,
        example: """
            campaign: tide-alert
            audience: { topic: tides }
            message:
              notification:
                title: High water
                body: Best angling before it.
                image: charts/horta.png
            delivery: { ttl: 4h }
            """,
        useInstead: """
            campaign: tide-alert
            audience: { topic: tides }
            message:
              notification:
                title: High water
                body: Best angling before it.
                image: https://tidewatch.example/charts/horta.png
            delivery: { ttl: 4h }
            """,
        source: """
            Firebase reference, REST resource projects.messages; Herald, \
            Documentation/Reference/Language.md, herald.yaml
            """
    )
}
