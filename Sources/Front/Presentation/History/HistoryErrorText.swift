package import CampaignModel

/// Errors of `herald history`.
extension ErrorText {
    package static func deliveryWithoutEmulator(in environment: EnvironmentID) -> ErrorText {
        ErrorText(
            "delivery is read from an emulator, but \(environment) has none",
            help: "look up the analytics labels in the Firebase console or at "
                + "fcmdata.googleapis.com"
        )
    }

    package static func noListSends(in run: Int64) -> ErrorText {
        ErrorText("run \(run) has no list sends with stored outcomes")
    }

    package static func noJoin(of run: Int64, with list: String) -> ErrorText {
        ErrorText(
            "no request of run \(run) could be joined with \(TextStyle.safe(list))",
            help: "name the original list: the same registrations in the same order"
        )
    }

    package static func noRun(_ number: Int64, newest: Int64?) -> ErrorText {
        ErrorText(
            "there is no run \(number)",
            help: newest.map { "the newest run is \($0)" } ?? "no run is recorded yet"
        )
    }

    package static func compactedRun(_ number: Int64) -> ErrorText {
        ErrorText("run \(number) was compacted: its message IDs are deleted")
    }

    package static func noMessageIDs(in run: Int64) -> ErrorText {
        ErrorText(
            "run \(run) recorded no message IDs of list sends",
            help: "set `record: ids` in the campaign before it is sent"
        )
    }
}
