extension DeliveryBackend {
    /// Performs all work that is due by `now`, in order of time: slices of fan-outs, delayed
    /// deliveries, and the expiry of messages and registrations.
    ///
    /// Every operation that makes changes calls this first, so the time of a query does not affect
    /// the result.
    package mutating func advance(to now: DeliveryMoment) {
        latest = max(latest, now)
        while true {
            let due = dues.first ?? .never
            let slice = fanOuts.next ?? .never
            if due <= slice {
                guard due <= latest, let entry = dues.removeFirst() else { return }
                look(at: entry.index, moment: entry.moment)
            } else {
                guard slice <= latest else { return }
                goOn(at: slice)
            }
        }
    }

    private mutating func look(at index: Int, moment: DeliveryMoment) {
        guard index < memories.count, memories[index].scheduled == moment else { return }
        memories[index].scheduled = .never
        operate(on: index, at: moment) { machine, options, reports in
            machine.advance(to: moment, under: options, reportingTo: &reports)
        }
    }

    /// Runs an operation on a device and applies its reports to the model.
    mutating func operate(
        on index: Int,
        at now: DeliveryMoment,
        body: (inout DeviceMachine, DeliveryOptions, inout [DeliveryReport]) -> Void
    ) {
        reports.removeAll(keepingCapacity: true)
        body(&memories[index].machine, options, &reports)
        for report in reports {
            switch report {
            case .unregistered(let moment):
                leaveAllTopics(index)
                guard memories[index].isInstalled else { continue }
                memories[index].history.value.add(DeviceEvent(.expired, at: moment))
            case .deletedMessages(let moment):
                memories[index].history.value.add(DeviceEvent(.deletedMessages, at: moment))
            case .opened(let id, let moment):
                memories[index].history.value.add(
                    DeviceEvent(.opened, at: moment, message: id)
                )
            case .message: break
            }
        }
        if !reports.isEmpty { touch(index) }
        settleUpstream(index, at: now)
        schedule(index)
    }

    /// Schedules the next due work of a device.
    mutating func schedule(_ index: Int) {
        var due = memories[index].machine.due
        if !memories[index].outbox.isUntouched { due = min(due, memories[index].outbox.value.due) }
        guard due < memories[index].scheduled else { return }
        memories[index].scheduled = due
        dues.insert(index, at: due)
        if dues.count > 2 * memories.count + 1_024 { forgetFormerDues() }
    }

    /// Keeps only the current entry of each device.
    ///
    /// A device that is repeatedly rescheduled to an earlier time leaves an outdated entry behind
    /// each time.
    private mutating func forgetFormerDues() {
        dues = DueHeap()
        for index in memories.indices where memories[index].scheduled != .never {
            dues.insert(index, at: memories[index].scheduled)
        }
    }
}
