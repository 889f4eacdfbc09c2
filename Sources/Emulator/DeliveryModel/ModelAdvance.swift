extension DeliveryBackend {
    /// Does everything that falls due until `now`, in the order of time: slices of fan-outs, what
    /// throttles and delays let go, ends of lives and of registrations.
    ///
    /// Every operation that changes something at a moment does it first, so that it makes no
    /// difference when, or whether, somebody looks.
    package mutating func advance(to now: DeliveryMoment) {
        latest = max(latest, now)
        while true {
            let due = dues.first ?? .never
            let slice = fanOuts.next ?? .never
            if due <= slice {
                guard due <= latest, let entry = dues.removeFirst() else { return }
                look(at: entry.index, entry.moment)
            } else {
                guard slice <= latest else { return }
                goOn(at: slice)
            }
        }
    }

    private mutating func look(at index: Int, _ moment: DeliveryMoment) {
        guard index < memories.count, memories[index].scheduled == moment else { return }
        memories[index].scheduled = .never
        operate(index, at: moment) { machine, options, reports in
            machine.advance(to: moment, under: options, &reports)
        }
    }

    /// Lets a device do something, and does what follows from it for the model.
    mutating func operate(
        _ index: Int,
        at now: DeliveryMoment,
        _ body: (inout DeviceMachine, DeliveryOptions, inout [DeliveryReport]) -> Void
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
        schedule(index)
    }

    /// Sees to it that the model looks at a device when something falls due for it.
    mutating func schedule(_ index: Int) {
        let due = memories[index].machine.due
        guard due < memories[index].scheduled else { return }
        memories[index].scheduled = due
        dues.insert(index, at: due)
        if dues.count > 2 * memories.count + 1_024 { forgetFormerDues() }
    }

    /// Keeps of each device the one entry that counts: a device that is looked at earlier than was
    /// foreseen, again and again, would leave one behind each time.
    private mutating func forgetFormerDues() {
        dues = DueHeap()
        for index in memories.indices where memories[index].scheduled != .never {
            dues.insert(index, at: memories[index].scheduled)
        }
    }
}
