/// The model's revision counters.
struct ChangeList: Sendable {
    var revision = 0
    /// The revision of the last change that concerns no single device: a removal or a replacement
    /// of all devices.
    var lastRemoval = 0
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
        memories[index].revision = changes.revision
    }

    /// Records that devices were removed or replaced.
    mutating func noteRemoval() {
        changes.revision += 1
        changes.lastRemoval = changes.revision
    }
}
