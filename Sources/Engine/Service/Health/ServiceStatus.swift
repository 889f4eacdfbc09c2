package import CampaignModel
package import Time

/// What a service publishes about itself at one time.
package struct ServiceStatus: Sendable {
    package let environment: EnvironmentID
    /// When the service started.
    package let started: Instant
    /// The pace of sends.
    package var pace: Pace
    package var health: ServiceHealth
    package var pulse: ServicePulse
    package var metrics = ServiceMetrics()
    /// The service that sends, while this one is its standby; nil if this one sends.
    package var active: StandbyMachine.Holder?
    /// The number of requests without an answer.
    package var openRequests = 0
    /// The number of notifications that are not delivered.
    package var waitingNotifications = 0

    /// `steady`: the time of a clock that never jumps.
    package init(
        of environment: EnvironmentID,
        pace: Pace,
        at now: Instant,
        steady: Duration
    ) {
        self.environment = environment
        self.pace = pace
        started = now
        health = ServiceHealth(at: now)
        pulse = ServicePulse(at: steady)
    }
}
