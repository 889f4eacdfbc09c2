protocol EmptyInitializable: Sendable {
    init()
}

/// A value that most devices never need; it takes one pointer until its first change.
struct LazyBox<Value: EmptyInitializable>: Sendable {
    /// Empty, or the value as its only element.
    private var slot: [Value] = []

    var isUntouched: Bool { slot.isEmpty }

    var value: Value {
        _read {
            if slot.isEmpty { yield Value() } else { yield slot[0] }
        }
        _modify {
            if slot.isEmpty { slot.append(Value()) }
            yield &slot[0]
        }
    }
}
