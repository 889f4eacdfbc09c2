import JSON
import Planning

extension JSONType where Value == Duration {
    /// Seconds with millisecond precision.
    static let seconds = JSONType<Double>.number.reading { (duration: Duration) in
        let milliseconds = Int64((duration / .milliseconds(1)).rounded())
        return Double(milliseconds) / 1_000
    }
}

extension JSONType where Value == PlanDigest {
    static let digest = JSONType<String>.text(pattern: "^[0-9a-f]{40}@[0-9]+$")
        .reading(\PlanDigest.description)
}
