package import State

extension SQLiteStore {
    /// Only one process at a time sends from a file.
    package func fleet() -> FleetOverview { .none }
}
