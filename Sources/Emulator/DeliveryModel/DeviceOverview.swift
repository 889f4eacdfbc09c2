/// A device that changed, for whoever shows devices.
package struct ChangedDevice: Sendable {
    package let inbox: DeviceInbox
    /// Where it stands among the devices, in the order of seeding; some numbers are nobody's.
    package let place: Int
    package let log: DeviceLog
}

extension DeliveryBackend {
    package var deviceCount: Int { memories.count - gaps }

    /// Of the first `window` devices those that changed after a revision, in the order of their
    /// last changes, and the revision up to which that is all.
    ///
    /// It costs as much as the window has devices, whatever changed beyond it. The model has been
    /// advanced to `now`.
    package func devicesChanged(
        after revision: Int,
        limit: Int,
        amongFirst window: Int,
        at now: DeliveryMoment
    ) -> (devices: [ChangedDevice], upTo: Int, isAll: Bool) {
        let changed = memories.indices.prefix(window)
            .filter { !memories[$0].isGap && memories[$0].revision > revision }
            .sorted { memories[$0].revision < memories[$1].revision }
        let devices = changed.prefix(limit).map { index in
            ChangedDevice(
                inbox: inbox(at: index, now),
                place: index,
                log: memories[index].history.value.log
            )
        }
        let isAll = devices.count == changed.count
        let last = devices.last?.inbox.revision ?? revision
        return (devices, isAll ? self.revision : last, isAll)
    }

    /// What every device has, in the order of seeding; the model has been advanced to `now`.
    package func currentInboxes(at now: DeliveryMoment) -> [DeviceInbox] {
        places.map { inbox(at: $0, now) }
    }
}
