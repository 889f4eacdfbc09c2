/// Every port of one state, for code that composes a run of a command.
///
/// Every port of one state.
///
/// Other code takes only the ports that it uses. Every writing call is one transaction, durable
/// when it returns: power may fail directly after. Calls on one store are performed in the order in
/// which they are made. Reading needs no lock; writing needs the writer's lock, except making the
/// state and the calls that say so.
package typealias StateStore = StateReader & Ledger & MembershipBook & DeadRegistrationStore
    & PlanArchive & HistoryStore & ControlStore
