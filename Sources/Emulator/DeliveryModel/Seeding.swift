extension DeliveryBackend {
    /// Adds the devices whose names are unknown and updates the others.
    ///
    /// A known device keeps its conditions, memberships and messages. If its seeded registration
    /// changes, the app joins its own topics with the new registration.
    ///
    /// Nothing changes if one of the registrations belongs to a device with another name.
    package mutating func seed(
        _ specifications: [DeviceSpecification],
        at now: DeliveryMoment
    ) throws(SeedingFailure) {
        advance(to: now)
        try checkSeeding(of: specifications)
        for specification in specifications {
            if let index = index(named: specification.name) {
                update(index, to: specification, at: now)
            } else {
                add(specification, at: now)
            }
        }
    }

    /// Throws the error that `seed` would throw.
    package func checkSeeding(of specifications: [DeviceSpecification]) throws(SeedingFailure) {
        var owners: [DeviceRegistration: String] = [:]
        for specification in specifications {
            guard Set(specification.topics).count <= Self.topicsPerDevice else {
                throw .tooManyTopics(device: specification.name)
            }
            guard let registration = specification.registration else { continue }
            if let owner = owners[registration] ?? owner(of: registration),
                owner != specification.name
            {
                throw .registrationTaken(device: specification.name, by: owner)
            }
            owners[registration] = specification.name
        }
    }

    /// Returns the device that has a registration or was seeded with it.
    package func owner(of registration: DeviceRegistration) -> String? {
        indexOfRegistration[registration].map { memories[$0].name }
    }

    /// Returns whether all devices exist with the same registration, platform, project and package.
    package func knows(_ specifications: [DeviceSpecification]) -> Bool {
        specifications.allSatisfy { specification in
            guard let index = index(named: specification.name) else { return false }
            let known = memories[index].specification
            let registration = specification.registration ?? known.registration
            return known.registration == registration
                && known.platform == specification.platform
                && known.project == specification.project
                && known.packageName == specification.packageName
        }
    }

    /// Changes the conditions of a device; a device that comes online receives its waiting
    /// messages.
    ///
    /// Returns false if no device has the name.
    package mutating func setCondition(
        of name: String,
        to change: DeviceChange,
        at now: DeliveryMoment
    ) -> Bool {
        advance(to: now)
        guard let index = index(named: name) else { return false }
        let isFreshInstall = change.isInstalled == true && !memories[index].isInstalled
        if isFreshInstall { startAfresh(index, at: now) }
        let before = memories[index].machine.conditions
        var after = before
        after.apply(change)
        after.keepWhatExists(on: memories[index].platform)
        for kind in before.events(to: after) {
            memories[index].history.value.add(DeviceEvent(kind, at: now))
        }
        if before.isInstalled != after.isInstalled {
            memories[index].history.value.failWaitingCalls(at: now)
        }
        operate(on: index, at: now) { machine, options, reports in
            machine.change(change, at: now, under: options, reportingTo: &reports)
        }
        reassertTopics(of: index, since: before, at: now)
        finishCalls(of: index, at: now)
        touch(index)
        return true
    }

    /// Taps a notification, brings the app to the foreground, and returns the message.
    ///
    /// Returns nil if no device has the name or if its tray does not show the message.
    package mutating func tap(
        _ id: MessageID,
        on name: String,
        at now: DeliveryMoment
    ) -> ReceivedMessage? {
        advance(to: now)
        guard let index = index(named: name) else { return nil }
        let before = memories[index].machine.conditions
        var opened: ReceivedMessage?
        operate(on: index, at: now) { machine, options, reports in
            opened = machine.tap(id, at: now, under: options, reportingTo: &reports)
        }
        for kind in before.events(to: memories[index].machine.conditions) {
            memories[index].history.value.add(DeviceEvent(kind, at: now))
        }
        reassertTopics(of: index, since: before, at: now)
        return opened
    }

    /// Returns the result that `tap` would have; the caller must have advanced the model.
    package func shownMessage(_ id: MessageID, on name: String) -> ReceivedMessage? {
        index(named: name).flatMap { memories[$0].machine.shownMessage(id) }
    }

    private mutating func update(
        _ index: Int,
        to specification: DeviceSpecification,
        at now: DeliveryMoment
    ) {
        let former = memories[index].specification.registration
        let registration = specification.registration ?? former
        if former != registration { replaceRegistration(of: index, with: nil) }
        let formerKeys = memories[index].specification.messageKeys
        memories[index].specification = specification
        memories[index].specification.registration = registration
        if specification.messageKeys.isEmpty {
            memories[index].specification.messageKeys = formerKeys
        }
        memories[index].machine.platform = specification.platform
        memories[index].machine.conditions.keepWhatExists(on: specification.platform)
        touch(index)
        guard former != registration else { return schedule(index) }
        if let former { forget(former) }
        replaceRegistration(of: index, with: registration)
        startAfresh(index, at: now)
        finishCalls(of: index, at: now)
        schedule(index)
    }

    private mutating func startAfresh(_ index: Int, at now: DeliveryMoment) {
        leaveAllTopics(index)
        memories[index].ownTopics = memories[index].specification.topics.eachOnce
        guard memories[index].registration != nil else { return }
        memories[index].machine.register(at: now)
        joinOwnTopics(index, at: now)
    }
}

extension DeviceConditions {
    /// Returns whether the app starts, or has a network for the first time since it was opened.
    ///
    /// An app in the foreground counts as opened again when its device comes online.
    func startsApp(in others: DeviceConditions) -> Bool {
        guard others.isInstalled, others.isOnline else { return false }
        let isOpened = others.isInForeground && !(isInForeground && isOnline)
        return isOpened || isForceStopped && !others.isForceStopped
    }

    /// Returns the events of a change of conditions.
    fileprivate func events(to others: DeviceConditions) -> [DeviceEvent.Kind] {
        let changes: [(Bool, Bool, yes: DeviceEvent.Kind, no: DeviceEvent.Kind)] = [
            (isOnline, others.isOnline, .online, .offline),
            (isInForeground, others.isInForeground, .foreground, .background),
            (isInstalled, others.isInstalled, .installed, .uninstalled),
            (isDozing, others.isDozing, .dozing, .awake),
            (isForceStopped, others.isForceStopped, .forceStopped, .started),
            (isUserStopped, others.isUserStopped, .userStopped, .userStarted),
        ]
        return changes.filter { $0.0 != $0.1 }.map { $0.1 ? $0.yes : $0.no }
    }
}
