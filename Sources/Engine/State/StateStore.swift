/// Every port of one state, for code that assembles a command's run.
///
/// Other code takes only the ports that it uses. Every writing call is one transaction, which is
/// durable when the call returns, even if power fails directly after. Calls on one store are
/// performed in the order in which they are made. Reading needs no lock. Writing needs the writer's
/// lock, except for creating the state and for calls whose documentation excludes it.
package typealias StateStore = StateReader & Ledger & MembershipBook & DeadRegistrationStore
    & PlanArchive & HistoryStore & ControlStore & RunnerStore & ContactBook & ExperimentBook
    & FleetReader & UpstreamBook
