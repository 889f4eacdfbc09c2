import Diagnostics
import Text

extension RulePage {
    static let conditionTopics = RulePage(
        .conditionTopics,
        whatItDoes: """
            Refuses conditions that name more than five different topics.

            A topic that is named again counts once here.
            """,
        whyIsThisBad: """
            FCM takes five topics in a condition and refuses more. An app can join one more topic \
            that stands for several, or the campaign can be split into several whose conditions \
            exclude each other.
            """,
        example: """
            campaign: spring-tide
            audience:
              condition: >-
                'corvo' in topics || 'flores' in topics || 'faial' in topics
                || 'pico' in topics || 'graciosa' in topics || 'terceira' in topics
            message: { notification: { title: Spring tide, body: Currents up to 4 knots. } }
            delivery: { ttl: 4h }
            === herald.yaml
            version: 1
            project: tidewatch
            topics: { azores: {}, corvo: {}, flores: {}, faial: {}, pico: {},
                      graciosa: {}, terceira: {} }
            """,
        useInstead: """
            campaign: spring-tide
            audience: { topic: azores }
            message: { notification: { title: Spring tide, body: Currents up to 4 knots. } }
            delivery: { ttl: 4h }
            === herald.yaml
            version: 1
            project: tidewatch
            topics: { azores: {}, corvo: {}, flores: {}, faial: {}, pico: {},
                      graciosa: {}, terceira: {} }
            """,
        source: "Firebase documentation, Topic messaging"
    )
}
