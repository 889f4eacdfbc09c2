/// Which devices changed, and in which order: each is in one list, that of its last change.
struct ChangeList: Sendable {
    var revision = 0
    var newest: Int32 = -1
    /// The last change that is not one of a device: one was removed, or all were replaced.
    var lastRemoval = 0
}

extension DeliveryModel {
    /// Grows with every change of a device.
    package var revision: Int { changes.revision }

    /// The revision at which a device was removed last, or all were replaced: whoever knows an
    /// older one has to ask for all devices.
    package var lastRemoval: Int { changes.lastRemoval }

    /// The devices that changed after a revision, each as it is now, in the order of their last
    /// changes; the first of them where there are more than `limit`.
    ///
    /// It costs as much as there are changed devices.
    package func devicesChanged(
        after revision: Int,
        limit: Int = .max,
        at now: DeliveryMoment
    ) -> [DeviceInbox] {
        var changed: [Int] = []
        var index = changes.newest
        while index >= 0, memories[Int(index)].revision > revision {
            changed.append(Int(index))
            index = memories[Int(index)].changedBefore
        }
        return changed.reversed().prefix(limit).map { inbox(at: $0, now) }
    }

    /// Notes that a device changed.
    mutating func touch(_ index: Int) {
        changes.revision += 1
        memories[index].revision = changes.revision
        guard changes.newest != Int32(index) else { return }
        takeOut(index)
        memories[index].changedBefore = changes.newest
        memories[index].changedAfter = -1
        if changes.newest >= 0 { memories[Int(changes.newest)].changedAfter = Int32(index) }
        changes.newest = Int32(index)
    }

    /// Takes a device out of the list of changes.
    mutating func takeOut(_ index: Int) {
        let before = memories[index].changedBefore
        let after = memories[index].changedAfter
        if before >= 0 { memories[Int(before)].changedAfter = after }
        if after >= 0 { memories[Int(after)].changedBefore = before }
        if changes.newest == Int32(index) { changes.newest = before }
        memories[index].changedBefore = -1
        memories[index].changedAfter = -1
    }

    /// Notes that devices are gone, or others are in their places.
    mutating func noteRemoval() {
        changes.revision += 1
        changes.lastRemoval = changes.revision
    }
}
