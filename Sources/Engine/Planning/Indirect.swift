/// Stores a large value on the heap, so that a copy of its owner counts one reference.
@propertyWrapper
package struct Indirect<Value: Hashable & Sendable>: Hashable, Sendable {
    private indirect enum Box: Hashable, Sendable {
        case value(Value)
    }

    private var box: Box

    package init(wrappedValue: Value) {
        box = .value(wrappedValue)
    }

    package var wrappedValue: Value {
        get {
            switch box {
            case .value(let value): value
            }
        }
        set { box = .value(newValue) }
    }
}
