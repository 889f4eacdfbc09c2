/// Stores a large value on the heap, so that a copy of its owner counts one reference.
struct Indirect<Value: Hashable & Sendable>: Hashable, Sendable {
    private indirect enum Box: Hashable, Sendable {
        case value(Value)
    }

    private let box: Box

    init(_ value: Value) {
        box = .value(value)
    }

    var value: Value {
        switch box {
        case .value(let value): value
        }
    }
}
