extension Schema {
    /// Of format 3: how memberships are changed from now on.
    static let transport = """
        -- membership_transport: a MembershipTransport that FCM made necessary; NULL before
        ALTER TABLE meta ADD COLUMN membership_transport TEXT;

        """
}
