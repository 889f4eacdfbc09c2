/// A device with its messages and events, for display.
package struct DisplayedDevice: Sendable {
    package let inbox: DeviceInbox
    /// The device's position in seeding order; removed devices leave gaps.
    package let place: Int
    package let log: DeviceLog
}

/// A page of the selected devices.
package struct DevicePage: Sendable {
    /// Each device and its position among the selected devices.
    package let devices: [(position: Int, device: DisplayedDevice)]
    /// Number of selected devices.
    package let total: Int
}

extension DeliveryBackend {
    package var deviceCount: Int { memories.count - gaps }

    /// Returns a page of the selected devices in seeding order; with a revision, only those that
    /// changed after it.
    ///
    /// The caller must have advanced the model to `now`.
    package func page(
        of selection: PhoneSelection,
        _ range: Range<Int>,
        changedAfter revision: Int? = nil,
        at now: DeliveryMoment
    ) -> DevicePage {
        let found = devices(selection, skipping: range.lowerBound, limit: range.count)
        let shown = zip(range, found.indices).filter { _, index in
            revision.map { memories[index].revision > $0 } ?? true
        }
        return DevicePage(
            devices: shown.map { ($0, displayed($1, at: now)) },
            total: found.total
        )
    }

    /// Returns the devices that changed last and after a revision, the last change first.
    ///
    /// Older changes may be missing. The caller must have advanced the model to `now`.
    package func newestChanges(
        after revision: Int,
        limit: Int,
        at now: DeliveryMoment
    ) -> [DisplayedDevice] {
        changes.newestFirst.filter { !memories[$0].isGap && memories[$0].revision > revision }
            .prefix(limit).map { displayed($0, at: now) }
    }

    private func displayed(_ index: Int, at now: DeliveryMoment) -> DisplayedDevice {
        DisplayedDevice(
            inbox: inbox(at: index, now: now),
            place: index,
            log: memories[index].history.value.log
        )
    }

    /// Returns every device's inbox in seeding order; the caller must have advanced the model to
    /// `now`.
    package func currentInboxes(at now: DeliveryMoment) -> [DeviceInbox] {
        places.map { inbox(at: $0, now: now) }
    }
}
