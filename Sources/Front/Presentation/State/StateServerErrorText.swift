import State

extension ErrorText {
    /// `path`: names the database without a user or password.
    init(server path: String, _ problem: StateServerProblem) {
        let state = "the state \(TextStyle.safe(path))"
        switch problem {
        case .noLibrary(let detail):
            self.init(
                "\(state) needs libpq, which cannot be loaded: \(TextStyle.safe(detail))",
                help: "install PostgreSQL's client library (Debian: libpq5)"
            )
        case .malformedAddress:
            self.init(
                "the address of the state is not a PostgreSQL connection string",
                help: "write it as postgres://USER:PASSWORD@HOST:PORT/DATABASE, and "
                    + "percent-encode special characters in the password"
            )
        case .unreachable(let message):
            self.init(
                "\(state) cannot be reached: \(TextStyle.safe(message))",
                help: "check that the server runs and accepts connections from this machine, then "
                    + "run the command again"
            )
        case .untrusted(let message):
            self.init(
                "the connection to \(state) is not secure: \(TextStyle.safe(message))",
                help:
                    "servers on other machines need a certificate for their name: set sslrootcert "
                    + "in the address to the certificate of its authority"
            )
        case .rejected(let message):
            self.init(
                "the server refuses the connection to \(state): \(TextStyle.safe(message))",
                help:
                    "check user, password and database of the address, and the server's pg_hba.conf"
            )
        case .slow:
            self.init(
                "the server of \(state) does not answer in time",
                help: "check the server and the network, then run the command again"
            )
        case .readOnly:
            self.init(
                "the server of \(state) accepts no changes: it is a standby or read-only",
                help:
                    "name the primary server in the address, or add target_session_attrs=read-write"
            )
        case .diskFull:
            self.init(
                "the disk of the server of \(state) is full",
                help:
                    "free some space on the server and run apply again; Herald sends only what it "
                    + "can record"
            )
        case .cancelled(let message):
            self.init(
                "the server stopped a statement on \(state): \(TextStyle.safe(message))",
                help: "look for long transactions in pg_stat_activity, then run the command again"
            )
        case .lacksPrivilege(let message):
            self.init(
                "the user of \(state) lacks a privilege: \(TextStyle.safe(message))",
                help: "use the user that created the state, or grant the privilege: "
                    + "`herald state grants` prints the SQL, with `--frequency-caps` for plans with "
                    + "frequency caps"
            )
        case .tooOld(let version):
            self.init(
                "the server of \(state) is PostgreSQL \(TextStyle.safe(version)), which is too old",
                help: "use PostgreSQL 15 or later"
            )
        case .unsafeSetting(let name):
            self.init(
                "the server of \(state) can lose what it has confirmed: \(name) is off",
                help: "set \(name) = on in postgresql.conf and restart the server"
            )
        case .lostLock:
            self.init(
                "another process took over the lock of \(state), because this one did not renew it",
                help: "the other process continues; see `herald status`"
            )
        case .uncertainCommit:
            self.init(
                "the server of \(state) did not answer a commit, and cannot be asked about it",
                help: "run apply again when the server is reachable; what may have been sent is "
                    + "unknown, and is not repeated on its own"
            )
        case .lostCommits(let isRestored):
            self.init(
                "the server of \(state) failed over and lost the last commits of this process",
                help: isRestored
                    ? "run the command again: what this process sent is recorded again, and "
                        + "requests without a recorded answer are unknown"
                    : "see `herald status` before you send again: the state may lack what this "
                        + "process sent last, so the next run holds its sends"
            )
        }
    }
}
