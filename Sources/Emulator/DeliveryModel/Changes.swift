/// What changed last.
struct ChangeList: Sendable {
    var revision = 0
    /// The last change that is not one of a device: one was removed, or all were replaced.
    var lastRemoval = 0
}

extension DeliveryBackend {
    /// Grows with every change of a device.
    package var revision: Int { changes.revision }

    /// The revision at which a device was removed last, or all were replaced: whoever knows an
    /// older one has to ask for all devices.
    package var lastRemoval: Int { changes.lastRemoval }

    /// Notes that a device changed.
    mutating func touch(_ index: Int) {
        changes.revision += 1
        memories[index].revision = changes.revision
    }

    /// Notes that devices are gone, or others are in their places.
    mutating func noteRemoval() {
        changes.revision += 1
        changes.lastRemoval = changes.revision
    }
}
