/// Every port of one state, for code that composes a run of a command.
///
/// Other code takes only the ports that it uses. Every writing call is one transaction, durable
/// when it returns: power may fail directly after. Calls on one store are performed in the order in
/// which they are made. Reading needs no lock. Writing needs the writer's lock, except for creating
/// the state and for calls whose documentation excludes it.
package typealias StateStore = StateReader & Ledger & MembershipBook & DeadRegistrationStore
    & PlanArchive & HistoryStore & ControlStore
