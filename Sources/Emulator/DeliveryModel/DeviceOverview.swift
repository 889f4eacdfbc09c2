/// A changed device, for display.
package struct ChangedDevice: Sendable {
    package let inbox: DeviceInbox
    /// The device's position in seeding order; removed devices leave gaps.
    package let place: Int
    package let log: DeviceLog
}

extension DeliveryBackend {
    package var deviceCount: Int { memories.count - gaps }

    /// Returns those of the first `window` devices that changed after a revision, in the order of
    /// their last change, and the revision up to which the result is complete.
    ///
    /// The cost is proportional to `window`. The caller must have advanced the model to `now`.
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
                inbox: inbox(at: index, now: now),
                place: index,
                log: memories[index].history.value.log
            )
        }
        let isAll = devices.count == changed.count
        let last = devices.last?.inbox.revision ?? revision
        return (devices, isAll ? self.revision : last, isAll)
    }

    /// Returns every device's inbox in seeding order; the caller must have advanced the model to
    /// `now`.
    package func currentInboxes(at now: DeliveryMoment) -> [DeviceInbox] {
        places.map { inbox(at: $0, now: now) }
    }
}
