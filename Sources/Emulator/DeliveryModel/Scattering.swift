extension String {
    /// FNV-1a of the UTF-8 bytes, which is the same in every process.
    package var stableHash: UInt64 {
        utf8.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x0000_0100_0000_01B3 }
    }
}

extension UInt64 {
    /// One step of SplitMix64 (Steele, Lea and Flood, Fast splittable pseudorandom number
    /// generators, 2014).
    ///
    /// Adjacent inputs give unrelated outputs.
    package var scattered: UInt64 {
        var bits = self &+ 0x9E37_79B9_7F4A_7C15
        bits = (bits ^ bits >> 30) &* 0xBF58_476D_1CE4_E5B9
        bits = (bits ^ bits >> 27) &* 0x94D0_49BB_1331_11EB
        return bits ^ bits >> 31
    }
}
