/// A metric with its samples, in the text format of Prometheus (version 0.0.4).
struct MetricFamily: Sendable {
    enum Kind: String {
        /// Only rises, from 0 at the start of the process.
        case counter
        case gauge
    }

    typealias Labels = [(name: String, value: String)]

    let name: String
    let kind: Kind
    let about: String
    private(set) var samples: [(labels: Labels, value: Double)] = []

    init(_ kind: Kind, _ name: String, about: String) {
        self.kind = kind
        self.name = name
        self.about = about
    }

    func sample(_ value: some BinaryInteger, _ labels: Labels = []) -> MetricFamily {
        sample(Double(value), labels)
    }

    func sample(_ value: Double, _ labels: Labels = []) -> MetricFamily {
        var family = self
        family.samples.append((labels, value))
        return family
    }

    /// One sample per case of an enum, labelled with its raw value.
    func samples<Case>(
        of label: String,
        _ cases: [Case],
        value: (Case) -> Int
    ) -> MetricFamily where Case: RawRepresentable, Case.RawValue == String {
        cases.reduce(self) { $0.sample(value($1), [(label, $1.rawValue)]) }
    }

    /// `shared`: the labels of every sample.
    func text(with shared: Labels) -> String {
        let head = "# HELP \(name) \(Self.escaped(about))\n# TYPE \(name) \(kind.rawValue)\n"
        return samples.reduce(head) { text, sample in
            let labels = (shared + sample.labels).map {
                "\($0.name)=\"\(Self.escaped($0.value).replacing("\"", with: "\\\""))\""
            }
            let list = labels.isEmpty ? "" : "{\(labels.joined(separator: ","))}"
            return text + "\(name)\(list) \(Self.number(sample.value))\n"
        }
    }

    private static func escaped(_ text: String) -> String {
        text.replacing("\\", with: "\\\\").replacing("\n", with: "\\n")
    }

    private static func number(_ value: Double) -> String {
        value == value.rounded() && abs(value) < 1e15 ? String(Int64(value)) : String(value)
    }
}
