/// The commit that the program was built from, as 40 hexadecimal digits, with `-dirty` after them
/// where files differed from it; empty where the builder did not say.
extern const char *const herald_build_commit;
