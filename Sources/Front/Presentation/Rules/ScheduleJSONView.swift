package import JSON
import Scheduling
import Time

/// Renders a schedule's due times as JSON.
package struct ScheduleJSONView: Sendable {
    package init() {}

    /// An array of objects with `slot` (local), `moment` (UTC) and `note`, which is null,
    /// `moved_forward` or `first_of_two`.
    package func value(_ schedule: ScheduleExplanation) -> JSONValue {
        .array(
            schedule.moments.map { moment in
                .object([
                    "slot": .string(moment.slot.description),
                    "moment": .string(moment.moment.utcText),
                    "note": moment.note.key.map { .string($0) } ?? .null,
                ])
            }
        )
    }
}

extension SlotMoment.Note {
    fileprivate var key: String? {
        switch self {
        case .none: nil
        case .movedForward: "moved_forward"
        case .firstOfTwo: "first_of_two"
        }
    }
}
