/// The model's revision counters.
struct ChangeList: Sendable {
    var revision = 0
    /// The revision of the last change that concerns no single device: a removal or a replacement
    /// of all devices.
    var lastRemoval = 0
    /// The indices of the devices that changed last, as a ring; a device may occur several times.
    private var newest: [Int32] = []
    private var next = 0

    /// Maximum number of remembered changes.
    static let remembered = 256

    mutating func remember(_ index: Int) {
        if newest.count < Self.remembered {
            newest.append(Int32(index))
        } else {
            newest[next] = Int32(index)
        }
        next = (next + 1) % Self.remembered
    }

    /// Discards the remembered devices, whose indices may no longer be valid.
    mutating func forget() {
        newest.removeAll(keepingCapacity: true)
        next = 0
    }

    /// The indices of the remembered devices, each once, the last change first.
    var newestFirst: [Int] {
        let oldest = newest.count < Self.remembered ? 0 : next
        var known: Set<Int32> = []
        return (newest[oldest...] + newest[..<oldest]).reversed()
            .filter { known.insert($0).inserted }.map { Int($0) }
    }
}

extension DeliveryBackend {
    /// Increases with every change to a device.
    package var revision: Int { changes.revision }

    /// The revision of the last removal of a device or replacement of all devices.
    ///
    /// A client that knows an older revision must request all devices.
    package var lastRemoval: Int { changes.lastRemoval }

    /// Records that a device changed.
    mutating func touch(_ index: Int) {
        changes.revision += 1
        changes.remember(index)
        memories[index].revision = changes.revision
    }

    /// Records that devices were removed or replaced.
    mutating func noteRemoval() {
        changes.revision += 1
        changes.lastRemoval = changes.revision
        changes.forget()
    }
}
