/// The commit that the program was built from, as 40 hexadecimal digits; empty if unknown. The
/// suffix `-dirty` means that files differed from the commit.
extern const char *const herald_build_commit;
