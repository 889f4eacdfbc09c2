import Diagnostics
import Text

extension RulePage {
    static let localeTag = RulePage(
        .localeTag,
        whatItDoes: """
            Refuses names under `locales` that are not language tags.

            A tag is a language of 2 or 3 letters, then subtags of 2 to 8 letters and digits, each \
            behind a `-`: `pt`, `pt-BR`, `zh-Hant-TW`. It is compared with the `locale` column of \
            the list.
            """,
        whyIsThisBad: """
            A tag of another form matches nobody in the list, and these people get the text in the \
            wrong language.
            """,
        example: """
            campaign: catch-log
            audience: { registrations: campaigns/registrations/beta.txt }
            message:
              notification: { title: Try the catch log, body: Log a catch and tell us. }
            locales:
              pt_PT: { notification: { title: Experimenta, body: Regista uma captura. } }
            delivery: { ttl: 4h }
            === campaigns/registrations/beta.txt
            ana-pixel:APA91b-tidewatch-0001
            """,
        useInstead: """
            campaign: catch-log
            audience: { registrations: campaigns/registrations/beta.txt }
            message:
              notification: { title: Try the catch log, body: Log a catch and tell us. }
            locales:
              pt-PT: { notification: { title: Experimenta, body: Regista uma captura. } }
            delivery: { ttl: 4h }
            === campaigns/registrations/beta.txt
            ana-pixel:APA91b-tidewatch-0001
            """,
        source: "BCP 47 (RFC 5646, section 2.1); Herald, Documentation/Reference/Language.md, A campaign"
    )
}
