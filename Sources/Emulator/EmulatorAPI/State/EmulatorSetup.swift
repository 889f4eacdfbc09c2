package import DeliveryModel
import EmulatorAuth
import FoundationEssentials
package import JSON

/// The devices, settings and accounts with which an emulator starts.
package struct EmulatorSetup: Sendable {
    /// Devices that must exist; devices that the directory already has keep their state.
    package var devices: [DeviceSpecification]
    /// The initial fault script, or nil for none.
    package var faults: JSONValue?
    /// The clock, or nil to keep the directory's clock, which is real at first.
    package var clock: EmulatorClockStart?
    /// The limits above which FCM refuses requests; the replay of the log ignores them.
    package var limits: DeliveryLimits
    /// The behaviour of FCM and the devices, or nil to keep the directory's settings.
    package var delivery: DeliveryOptions?
    /// Accounts that may request access tokens.
    package var serviceAccounts: [ServiceAccountFile]
    /// Whether requests to FCM require a token that this emulator issued.
    package var requiresTokens: Bool
    /// The ID of the default project, or nil for none.
    package var project: String?
    /// Whether every other project ID has separate state from its first request on.
    package var separatesProjects = false

    package init(
        devices: [DeviceSpecification] = [],
        faults: JSONValue? = nil,
        clock: EmulatorClockStart? = nil,
        limits: DeliveryLimits = DeliveryLimits(),
        delivery: DeliveryOptions? = nil,
        serviceAccounts: [ServiceAccountFile] = [],
        requiresTokens: Bool = false
    ) {
        self.devices = devices
        self.faults = faults
        self.clock = clock
        self.limits = limits
        self.delivery = delivery
        self.serviceAccounts = serviceAccounts
        self.requiresTokens = requiresTokens
    }
}

extension EmulatorCore {
    /// Restores the state from a directory's log, and then applies the setup.
    ///
    /// `skip` is called with the number of each recorded request that is now refused.
    package static func restored(
        from directory: borrowing EmulatorDirectory,
        setup: EmulatorSetup,
        routes: RouteTable,
        skip: (_ sequence: Int) -> Void
    ) throws(EmulatorError) -> EmulatorCore {
        var core = try EmulatorCore(
            logPath: directory.logPath,
            limits: setup.limits,
            authority: Authority(requiresTokens: setup.requiresTokens),
            routes: routes,
            skip: skip,
            clock: systemClock
        )
        core.projects.name(setup.project ?? "", separatesAll: setup.separatesProjects)
        core.projectStart = ProjectStart(clock: setup.clock, delivery: setup.delivery)
        if let clock = setup.clock { try core.begin(clock) }
        if let delivery = setup.delivery { try core.set(delivery) }
        try core.seed(setup.devices)
        try core.setFaults(setup.faults)
        try core.register(setup.serviceAccounts)
        for id in core.projects.otherIDs {
            core.enter(id)
            if let clock = setup.clock { try core.begin(clock) }
        }
        core.enter("")
        return core
    }
}

@Sendable private func systemClock() -> DeliveryMoment {
    DeliveryMoment(milliseconds: Int64((Date().timeIntervalSince1970 * 1_000).rounded(.down)))
}
