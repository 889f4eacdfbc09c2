// Written by make-zone-table.py from tzdata 2025b with Python's zoneinfo; don't edit.

/// One row a line: `ZONE at INSTANT standard|saving SECONDS ABBREVIATION`, or `ZONE local
/// TIME` with `unique INSTANT`, `skipped INSTANT GAP` or `doubled FIRST SECOND`.
let zoneTable = """
    America/New_York at 1974-07-01T12:00:00Z saving -14400 EDT
    America/New_York local 1974-01-15T07:30:00 unique 1974-01-15T11:30:00Z
    America/New_York at 1974-01-06T06:59:59Z standard -18000 EST
    America/New_York at 1974-01-06T07:00:00Z saving -14400 EDT
    America/New_York local 1974-01-06T01:59:59 unique 1974-01-06T06:59:59Z
    America/New_York local 1974-01-06T02:00:00 skipped 1974-01-06T07:00:00Z 3600
    America/New_York local 1974-01-06T02:30:00 skipped 1974-01-06T07:30:00Z 3600
    America/New_York local 1974-01-06T02:59:59 skipped 1974-01-06T07:59:59Z 3600
    America/New_York local 1974-01-06T03:00:00 unique 1974-01-06T07:00:00Z
    America/New_York at 1974-10-27T05:59:59Z saving -14400 EDT
    America/New_York at 1974-10-27T06:00:00Z standard -18000 EST
    America/New_York local 1974-10-27T00:59:59 unique 1974-10-27T04:59:59Z
    America/New_York local 1974-10-27T01:00:00 doubled 1974-10-27T05:00:00Z 1974-10-27T06:00:00Z
    America/New_York local 1974-10-27T01:30:00 doubled 1974-10-27T05:30:00Z 1974-10-27T06:30:00Z
    America/New_York local 1974-10-27T01:59:59 doubled 1974-10-27T05:59:59Z 1974-10-27T06:59:59Z
    America/New_York local 1974-10-27T02:00:00 unique 1974-10-27T07:00:00Z
    America/New_York at 2007-07-01T12:00:00Z saving -14400 EDT
    America/New_York local 2007-01-15T07:30:00 unique 2007-01-15T12:30:00Z
    America/New_York at 2007-03-11T06:59:59Z standard -18000 EST
    America/New_York at 2007-03-11T07:00:00Z saving -14400 EDT
    America/New_York local 2007-03-11T01:59:59 unique 2007-03-11T06:59:59Z
    America/New_York local 2007-03-11T02:00:00 skipped 2007-03-11T07:00:00Z 3600
    America/New_York local 2007-03-11T02:30:00 skipped 2007-03-11T07:30:00Z 3600
    America/New_York local 2007-03-11T02:59:59 skipped 2007-03-11T07:59:59Z 3600
    America/New_York local 2007-03-11T03:00:00 unique 2007-03-11T07:00:00Z
    America/New_York at 2007-11-04T05:59:59Z saving -14400 EDT
    America/New_York at 2007-11-04T06:00:00Z standard -18000 EST
    America/New_York local 2007-11-04T00:59:59 unique 2007-11-04T04:59:59Z
    America/New_York local 2007-11-04T01:00:00 doubled 2007-11-04T05:00:00Z 2007-11-04T06:00:00Z
    America/New_York local 2007-11-04T01:30:00 doubled 2007-11-04T05:30:00Z 2007-11-04T06:30:00Z
    America/New_York local 2007-11-04T01:59:59 doubled 2007-11-04T05:59:59Z 2007-11-04T06:59:59Z
    America/New_York local 2007-11-04T02:00:00 unique 2007-11-04T07:00:00Z
    America/New_York at 2037-07-01T12:00:00Z saving -14400 EDT
    America/New_York local 2037-01-15T07:30:00 unique 2037-01-15T12:30:00Z
    America/New_York at 2037-03-08T06:59:59Z standard -18000 EST
    America/New_York at 2037-03-08T07:00:00Z saving -14400 EDT
    America/New_York local 2037-03-08T01:59:59 unique 2037-03-08T06:59:59Z
    America/New_York local 2037-03-08T02:00:00 skipped 2037-03-08T07:00:00Z 3600
    America/New_York local 2037-03-08T02:30:00 skipped 2037-03-08T07:30:00Z 3600
    America/New_York local 2037-03-08T02:59:59 skipped 2037-03-08T07:59:59Z 3600
    America/New_York local 2037-03-08T03:00:00 unique 2037-03-08T07:00:00Z
    America/New_York at 2037-11-01T05:59:59Z saving -14400 EDT
    America/New_York at 2037-11-01T06:00:00Z standard -18000 EST
    America/New_York local 2037-11-01T00:59:59 unique 2037-11-01T04:59:59Z
    America/New_York local 2037-11-01T01:00:00 doubled 2037-11-01T05:00:00Z 2037-11-01T06:00:00Z
    America/New_York local 2037-11-01T01:30:00 doubled 2037-11-01T05:30:00Z 2037-11-01T06:30:00Z
    America/New_York local 2037-11-01T01:59:59 doubled 2037-11-01T05:59:59Z 2037-11-01T06:59:59Z
    America/New_York local 2037-11-01T02:00:00 unique 2037-11-01T07:00:00Z
    America/New_York at 2100-07-01T12:00:00Z saving -14400 EDT
    America/New_York local 2100-01-15T07:30:00 unique 2100-01-15T12:30:00Z
    America/New_York at 2100-03-14T06:59:59Z standard -18000 EST
    America/New_York at 2100-03-14T07:00:00Z saving -14400 EDT
    America/New_York local 2100-03-14T01:59:59 unique 2100-03-14T06:59:59Z
    America/New_York local 2100-03-14T02:00:00 skipped 2100-03-14T07:00:00Z 3600
    America/New_York local 2100-03-14T02:30:00 skipped 2100-03-14T07:30:00Z 3600
    America/New_York local 2100-03-14T02:59:59 skipped 2100-03-14T07:59:59Z 3600
    America/New_York local 2100-03-14T03:00:00 unique 2100-03-14T07:00:00Z
    America/New_York at 2100-11-07T05:59:59Z saving -14400 EDT
    America/New_York at 2100-11-07T06:00:00Z standard -18000 EST
    America/New_York local 2100-11-07T00:59:59 unique 2100-11-07T04:59:59Z
    America/New_York local 2100-11-07T01:00:00 doubled 2100-11-07T05:00:00Z 2100-11-07T06:00:00Z
    America/New_York local 2100-11-07T01:30:00 doubled 2100-11-07T05:30:00Z 2100-11-07T06:30:00Z
    America/New_York local 2100-11-07T01:59:59 doubled 2100-11-07T05:59:59Z 2100-11-07T06:59:59Z
    America/New_York local 2100-11-07T02:00:00 unique 2100-11-07T07:00:00Z
    America/New_York at 2499-07-01T12:00:00Z saving -14400 EDT
    America/New_York local 2499-01-15T07:30:00 unique 2499-01-15T12:30:00Z
    America/New_York at 2499-03-08T06:59:59Z standard -18000 EST
    America/New_York at 2499-03-08T07:00:00Z saving -14400 EDT
    America/New_York local 2499-03-08T01:59:59 unique 2499-03-08T06:59:59Z
    America/New_York local 2499-03-08T02:00:00 skipped 2499-03-08T07:00:00Z 3600
    America/New_York local 2499-03-08T02:30:00 skipped 2499-03-08T07:30:00Z 3600
    America/New_York local 2499-03-08T02:59:59 skipped 2499-03-08T07:59:59Z 3600
    America/New_York local 2499-03-08T03:00:00 unique 2499-03-08T07:00:00Z
    America/New_York at 2499-11-01T05:59:59Z saving -14400 EDT
    America/New_York at 2499-11-01T06:00:00Z standard -18000 EST
    America/New_York local 2499-11-01T00:59:59 unique 2499-11-01T04:59:59Z
    America/New_York local 2499-11-01T01:00:00 doubled 2499-11-01T05:00:00Z 2499-11-01T06:00:00Z
    America/New_York local 2499-11-01T01:30:00 doubled 2499-11-01T05:30:00Z 2499-11-01T06:30:00Z
    America/New_York local 2499-11-01T01:59:59 doubled 2499-11-01T05:59:59Z 2499-11-01T06:59:59Z
    America/New_York local 2499-11-01T02:00:00 unique 2499-11-01T07:00:00Z
    America/Nuuk at 2022-07-01T12:00:00Z saving -7200 -02
    America/Nuuk local 2022-01-15T07:30:00 unique 2022-01-15T10:30:00Z
    America/Nuuk at 2022-03-27T00:59:59Z standard -10800 -03
    America/Nuuk at 2022-03-27T01:00:00Z saving -7200 -02
    America/Nuuk local 2022-03-26T21:59:59 unique 2022-03-27T00:59:59Z
    America/Nuuk local 2022-03-26T22:00:00 skipped 2022-03-27T01:00:00Z 3600
    America/Nuuk local 2022-03-26T22:30:00 skipped 2022-03-27T01:30:00Z 3600
    America/Nuuk local 2022-03-26T22:59:59 skipped 2022-03-27T01:59:59Z 3600
    America/Nuuk local 2022-03-26T23:00:00 unique 2022-03-27T01:00:00Z
    America/Nuuk at 2022-10-30T00:59:59Z saving -7200 -02
    America/Nuuk at 2022-10-30T01:00:00Z standard -10800 -03
    America/Nuuk local 2022-10-29T21:59:59 unique 2022-10-29T23:59:59Z
    America/Nuuk local 2022-10-29T22:00:00 doubled 2022-10-30T00:00:00Z 2022-10-30T01:00:00Z
    America/Nuuk local 2022-10-29T22:30:00 doubled 2022-10-30T00:30:00Z 2022-10-30T01:30:00Z
    America/Nuuk local 2022-10-29T22:59:59 doubled 2022-10-30T00:59:59Z 2022-10-30T01:59:59Z
    America/Nuuk local 2022-10-29T23:00:00 unique 2022-10-30T02:00:00Z
    America/Nuuk at 2037-07-01T12:00:00Z saving -3600 -01
    America/Nuuk local 2037-01-15T07:30:00 unique 2037-01-15T09:30:00Z
    America/Nuuk at 2037-03-29T00:59:59Z standard -7200 -02
    America/Nuuk at 2037-03-29T01:00:00Z saving -3600 -01
    America/Nuuk local 2037-03-28T22:59:59 unique 2037-03-29T00:59:59Z
    America/Nuuk local 2037-03-28T23:00:00 skipped 2037-03-29T01:00:00Z 3600
    America/Nuuk local 2037-03-28T23:30:00 skipped 2037-03-29T01:30:00Z 3600
    America/Nuuk local 2037-03-28T23:59:59 skipped 2037-03-29T01:59:59Z 3600
    America/Nuuk local 2037-03-29T00:00:00 unique 2037-03-29T01:00:00Z
    America/Nuuk at 2037-10-25T00:59:59Z saving -3600 -01
    America/Nuuk at 2037-10-25T01:00:00Z standard -7200 -02
    America/Nuuk local 2037-10-24T22:59:59 unique 2037-10-24T23:59:59Z
    America/Nuuk local 2037-10-24T23:00:00 doubled 2037-10-25T00:00:00Z 2037-10-25T01:00:00Z
    America/Nuuk local 2037-10-24T23:30:00 doubled 2037-10-25T00:30:00Z 2037-10-25T01:30:00Z
    America/Nuuk local 2037-10-24T23:59:59 doubled 2037-10-25T00:59:59Z 2037-10-25T01:59:59Z
    America/Nuuk local 2037-10-25T00:00:00 unique 2037-10-25T02:00:00Z
    America/Nuuk at 2100-07-01T12:00:00Z saving -3600 -01
    America/Nuuk local 2100-01-15T07:30:00 unique 2100-01-15T09:30:00Z
    America/Nuuk at 2100-03-28T00:59:59Z standard -7200 -02
    America/Nuuk at 2100-03-28T01:00:00Z saving -3600 -01
    America/Nuuk local 2100-03-27T22:59:59 unique 2100-03-28T00:59:59Z
    America/Nuuk local 2100-03-27T23:00:00 skipped 2100-03-28T01:00:00Z 3600
    America/Nuuk local 2100-03-27T23:30:00 skipped 2100-03-28T01:30:00Z 3600
    America/Nuuk local 2100-03-27T23:59:59 skipped 2100-03-28T01:59:59Z 3600
    America/Nuuk local 2100-03-28T00:00:00 unique 2100-03-28T01:00:00Z
    America/Nuuk at 2100-10-31T00:59:59Z saving -3600 -01
    America/Nuuk at 2100-10-31T01:00:00Z standard -7200 -02
    America/Nuuk local 2100-10-30T22:59:59 unique 2100-10-30T23:59:59Z
    America/Nuuk local 2100-10-30T23:00:00 doubled 2100-10-31T00:00:00Z 2100-10-31T01:00:00Z
    America/Nuuk local 2100-10-30T23:30:00 doubled 2100-10-31T00:30:00Z 2100-10-31T01:30:00Z
    America/Nuuk local 2100-10-30T23:59:59 doubled 2100-10-31T00:59:59Z 2100-10-31T01:59:59Z
    America/Nuuk local 2100-10-31T00:00:00 unique 2100-10-31T02:00:00Z
    Europe/Berlin at 1980-07-01T12:00:00Z saving 7200 CEST
    Europe/Berlin local 1980-01-15T07:30:00 unique 1980-01-15T06:30:00Z
    Europe/Berlin at 1980-04-06T00:59:59Z standard 3600 CET
    Europe/Berlin at 1980-04-06T01:00:00Z saving 7200 CEST
    Europe/Berlin local 1980-04-06T01:59:59 unique 1980-04-06T00:59:59Z
    Europe/Berlin local 1980-04-06T02:00:00 skipped 1980-04-06T01:00:00Z 3600
    Europe/Berlin local 1980-04-06T02:30:00 skipped 1980-04-06T01:30:00Z 3600
    Europe/Berlin local 1980-04-06T02:59:59 skipped 1980-04-06T01:59:59Z 3600
    Europe/Berlin local 1980-04-06T03:00:00 unique 1980-04-06T01:00:00Z
    Europe/Berlin at 1980-09-28T00:59:59Z saving 7200 CEST
    Europe/Berlin at 1980-09-28T01:00:00Z standard 3600 CET
    Europe/Berlin local 1980-09-28T01:59:59 unique 1980-09-27T23:59:59Z
    Europe/Berlin local 1980-09-28T02:00:00 doubled 1980-09-28T00:00:00Z 1980-09-28T01:00:00Z
    Europe/Berlin local 1980-09-28T02:30:00 doubled 1980-09-28T00:30:00Z 1980-09-28T01:30:00Z
    Europe/Berlin local 1980-09-28T02:59:59 doubled 1980-09-28T00:59:59Z 1980-09-28T01:59:59Z
    Europe/Berlin local 1980-09-28T03:00:00 unique 1980-09-28T02:00:00Z
    Europe/Berlin at 2025-07-01T12:00:00Z saving 7200 CEST
    Europe/Berlin local 2025-01-15T07:30:00 unique 2025-01-15T06:30:00Z
    Europe/Berlin at 2025-03-30T00:59:59Z standard 3600 CET
    Europe/Berlin at 2025-03-30T01:00:00Z saving 7200 CEST
    Europe/Berlin local 2025-03-30T01:59:59 unique 2025-03-30T00:59:59Z
    Europe/Berlin local 2025-03-30T02:00:00 skipped 2025-03-30T01:00:00Z 3600
    Europe/Berlin local 2025-03-30T02:30:00 skipped 2025-03-30T01:30:00Z 3600
    Europe/Berlin local 2025-03-30T02:59:59 skipped 2025-03-30T01:59:59Z 3600
    Europe/Berlin local 2025-03-30T03:00:00 unique 2025-03-30T01:00:00Z
    Europe/Berlin at 2025-10-26T00:59:59Z saving 7200 CEST
    Europe/Berlin at 2025-10-26T01:00:00Z standard 3600 CET
    Europe/Berlin local 2025-10-26T01:59:59 unique 2025-10-25T23:59:59Z
    Europe/Berlin local 2025-10-26T02:00:00 doubled 2025-10-26T00:00:00Z 2025-10-26T01:00:00Z
    Europe/Berlin local 2025-10-26T02:30:00 doubled 2025-10-26T00:30:00Z 2025-10-26T01:30:00Z
    Europe/Berlin local 2025-10-26T02:59:59 doubled 2025-10-26T00:59:59Z 2025-10-26T01:59:59Z
    Europe/Berlin local 2025-10-26T03:00:00 unique 2025-10-26T02:00:00Z
    Europe/Berlin at 2037-07-01T12:00:00Z saving 7200 CEST
    Europe/Berlin local 2037-01-15T07:30:00 unique 2037-01-15T06:30:00Z
    Europe/Berlin at 2037-03-29T00:59:59Z standard 3600 CET
    Europe/Berlin at 2037-03-29T01:00:00Z saving 7200 CEST
    Europe/Berlin local 2037-03-29T01:59:59 unique 2037-03-29T00:59:59Z
    Europe/Berlin local 2037-03-29T02:00:00 skipped 2037-03-29T01:00:00Z 3600
    Europe/Berlin local 2037-03-29T02:30:00 skipped 2037-03-29T01:30:00Z 3600
    Europe/Berlin local 2037-03-29T02:59:59 skipped 2037-03-29T01:59:59Z 3600
    Europe/Berlin local 2037-03-29T03:00:00 unique 2037-03-29T01:00:00Z
    Europe/Berlin at 2037-10-25T00:59:59Z saving 7200 CEST
    Europe/Berlin at 2037-10-25T01:00:00Z standard 3600 CET
    Europe/Berlin local 2037-10-25T01:59:59 unique 2037-10-24T23:59:59Z
    Europe/Berlin local 2037-10-25T02:00:00 doubled 2037-10-25T00:00:00Z 2037-10-25T01:00:00Z
    Europe/Berlin local 2037-10-25T02:30:00 doubled 2037-10-25T00:30:00Z 2037-10-25T01:30:00Z
    Europe/Berlin local 2037-10-25T02:59:59 doubled 2037-10-25T00:59:59Z 2037-10-25T01:59:59Z
    Europe/Berlin local 2037-10-25T03:00:00 unique 2037-10-25T02:00:00Z
    Europe/Berlin at 2100-07-01T12:00:00Z saving 7200 CEST
    Europe/Berlin local 2100-01-15T07:30:00 unique 2100-01-15T06:30:00Z
    Europe/Berlin at 2100-03-28T00:59:59Z standard 3600 CET
    Europe/Berlin at 2100-03-28T01:00:00Z saving 7200 CEST
    Europe/Berlin local 2100-03-28T01:59:59 unique 2100-03-28T00:59:59Z
    Europe/Berlin local 2100-03-28T02:00:00 skipped 2100-03-28T01:00:00Z 3600
    Europe/Berlin local 2100-03-28T02:30:00 skipped 2100-03-28T01:30:00Z 3600
    Europe/Berlin local 2100-03-28T02:59:59 skipped 2100-03-28T01:59:59Z 3600
    Europe/Berlin local 2100-03-28T03:00:00 unique 2100-03-28T01:00:00Z
    Europe/Berlin at 2100-10-31T00:59:59Z saving 7200 CEST
    Europe/Berlin at 2100-10-31T01:00:00Z standard 3600 CET
    Europe/Berlin local 2100-10-31T01:59:59 unique 2100-10-30T23:59:59Z
    Europe/Berlin local 2100-10-31T02:00:00 doubled 2100-10-31T00:00:00Z 2100-10-31T01:00:00Z
    Europe/Berlin local 2100-10-31T02:30:00 doubled 2100-10-31T00:30:00Z 2100-10-31T01:30:00Z
    Europe/Berlin local 2100-10-31T02:59:59 doubled 2100-10-31T00:59:59Z 2100-10-31T01:59:59Z
    Europe/Berlin local 2100-10-31T03:00:00 unique 2100-10-31T02:00:00Z
    Europe/Berlin at 2499-07-01T12:00:00Z saving 7200 CEST
    Europe/Berlin local 2499-01-15T07:30:00 unique 2499-01-15T06:30:00Z
    Europe/Berlin at 2499-03-29T00:59:59Z standard 3600 CET
    Europe/Berlin at 2499-03-29T01:00:00Z saving 7200 CEST
    Europe/Berlin local 2499-03-29T01:59:59 unique 2499-03-29T00:59:59Z
    Europe/Berlin local 2499-03-29T02:00:00 skipped 2499-03-29T01:00:00Z 3600
    Europe/Berlin local 2499-03-29T02:30:00 skipped 2499-03-29T01:30:00Z 3600
    Europe/Berlin local 2499-03-29T02:59:59 skipped 2499-03-29T01:59:59Z 3600
    Europe/Berlin local 2499-03-29T03:00:00 unique 2499-03-29T01:00:00Z
    Europe/Berlin at 2499-10-25T00:59:59Z saving 7200 CEST
    Europe/Berlin at 2499-10-25T01:00:00Z standard 3600 CET
    Europe/Berlin local 2499-10-25T01:59:59 unique 2499-10-24T23:59:59Z
    Europe/Berlin local 2499-10-25T02:00:00 doubled 2499-10-25T00:00:00Z 2499-10-25T01:00:00Z
    Europe/Berlin local 2499-10-25T02:30:00 doubled 2499-10-25T00:30:00Z 2499-10-25T01:30:00Z
    Europe/Berlin local 2499-10-25T02:59:59 doubled 2499-10-25T00:59:59Z 2499-10-25T01:59:59Z
    Europe/Berlin local 2499-10-25T03:00:00 unique 2499-10-25T02:00:00Z
    Europe/Dublin at 1971-07-01T12:00:00Z standard 3600 IST
    Europe/Dublin local 1971-01-15T07:30:00 unique 1971-01-15T06:30:00Z
    Europe/Dublin at 1971-10-31T01:59:59Z standard 3600 IST
    Europe/Dublin at 1971-10-31T02:00:00Z saving 0 GMT
    Europe/Dublin local 1971-10-31T01:59:59 unique 1971-10-31T00:59:59Z
    Europe/Dublin local 1971-10-31T02:00:00 doubled 1971-10-31T01:00:00Z 1971-10-31T02:00:00Z
    Europe/Dublin local 1971-10-31T02:30:00 doubled 1971-10-31T01:30:00Z 1971-10-31T02:30:00Z
    Europe/Dublin local 1971-10-31T02:59:59 doubled 1971-10-31T01:59:59Z 1971-10-31T02:59:59Z
    Europe/Dublin local 1971-10-31T03:00:00 unique 1971-10-31T03:00:00Z
    Europe/Dublin at 2037-07-01T12:00:00Z standard 3600 IST
    Europe/Dublin local 2037-01-15T07:30:00 unique 2037-01-15T07:30:00Z
    Europe/Dublin at 2037-03-29T00:59:59Z saving 0 GMT
    Europe/Dublin at 2037-03-29T01:00:00Z standard 3600 IST
    Europe/Dublin local 2037-03-29T00:59:59 unique 2037-03-29T00:59:59Z
    Europe/Dublin local 2037-03-29T01:00:00 skipped 2037-03-29T01:00:00Z 3600
    Europe/Dublin local 2037-03-29T01:30:00 skipped 2037-03-29T01:30:00Z 3600
    Europe/Dublin local 2037-03-29T01:59:59 skipped 2037-03-29T01:59:59Z 3600
    Europe/Dublin local 2037-03-29T02:00:00 unique 2037-03-29T01:00:00Z
    Europe/Dublin at 2037-10-25T00:59:59Z standard 3600 IST
    Europe/Dublin at 2037-10-25T01:00:00Z saving 0 GMT
    Europe/Dublin local 2037-10-25T00:59:59 unique 2037-10-24T23:59:59Z
    Europe/Dublin local 2037-10-25T01:00:00 doubled 2037-10-25T00:00:00Z 2037-10-25T01:00:00Z
    Europe/Dublin local 2037-10-25T01:30:00 doubled 2037-10-25T00:30:00Z 2037-10-25T01:30:00Z
    Europe/Dublin local 2037-10-25T01:59:59 doubled 2037-10-25T00:59:59Z 2037-10-25T01:59:59Z
    Europe/Dublin local 2037-10-25T02:00:00 unique 2037-10-25T02:00:00Z
    Europe/Dublin at 2100-07-01T12:00:00Z standard 3600 IST
    Europe/Dublin local 2100-01-15T07:30:00 unique 2100-01-15T07:30:00Z
    Europe/Dublin at 2100-03-28T00:59:59Z saving 0 GMT
    Europe/Dublin at 2100-03-28T01:00:00Z standard 3600 IST
    Europe/Dublin local 2100-03-28T00:59:59 unique 2100-03-28T00:59:59Z
    Europe/Dublin local 2100-03-28T01:00:00 skipped 2100-03-28T01:00:00Z 3600
    Europe/Dublin local 2100-03-28T01:30:00 skipped 2100-03-28T01:30:00Z 3600
    Europe/Dublin local 2100-03-28T01:59:59 skipped 2100-03-28T01:59:59Z 3600
    Europe/Dublin local 2100-03-28T02:00:00 unique 2100-03-28T01:00:00Z
    Europe/Dublin at 2100-10-31T00:59:59Z standard 3600 IST
    Europe/Dublin at 2100-10-31T01:00:00Z saving 0 GMT
    Europe/Dublin local 2100-10-31T00:59:59 unique 2100-10-30T23:59:59Z
    Europe/Dublin local 2100-10-31T01:00:00 doubled 2100-10-31T00:00:00Z 2100-10-31T01:00:00Z
    Europe/Dublin local 2100-10-31T01:30:00 doubled 2100-10-31T00:30:00Z 2100-10-31T01:30:00Z
    Europe/Dublin local 2100-10-31T01:59:59 doubled 2100-10-31T00:59:59Z 2100-10-31T01:59:59Z
    Europe/Dublin local 2100-10-31T02:00:00 unique 2100-10-31T02:00:00Z
    Atlantic/Azores at 1993-07-01T12:00:00Z saving 0 +00
    Atlantic/Azores local 1993-01-15T07:30:00 unique 1993-01-15T07:30:00Z
    Atlantic/Azores at 1993-03-28T00:59:59Z standard 0 WET
    Atlantic/Azores at 1993-03-28T01:00:00Z saving 3600 WEST
    Atlantic/Azores local 1993-03-28T00:59:59 unique 1993-03-28T00:59:59Z
    Atlantic/Azores local 1993-03-28T01:00:00 skipped 1993-03-28T01:00:00Z 3600
    Atlantic/Azores local 1993-03-28T01:30:00 skipped 1993-03-28T01:30:00Z 3600
    Atlantic/Azores local 1993-03-28T01:59:59 skipped 1993-03-28T01:59:59Z 3600
    Atlantic/Azores local 1993-03-28T02:00:00 unique 1993-03-28T01:00:00Z
    Atlantic/Azores at 1993-06-17T00:59:59Z saving 3600 WEST
    Atlantic/Azores at 1993-06-17T01:00:00Z saving 0 +00
    Atlantic/Azores local 1993-06-17T00:59:59 unique 1993-06-16T23:59:59Z
    Atlantic/Azores local 1993-06-17T01:00:00 doubled 1993-06-17T00:00:00Z 1993-06-17T01:00:00Z
    Atlantic/Azores local 1993-06-17T01:30:00 doubled 1993-06-17T00:30:00Z 1993-06-17T01:30:00Z
    Atlantic/Azores local 1993-06-17T01:59:59 doubled 1993-06-17T00:59:59Z 1993-06-17T01:59:59Z
    Atlantic/Azores local 1993-06-17T02:00:00 unique 1993-06-17T02:00:00Z
    Atlantic/Azores at 1993-09-26T00:59:59Z saving 0 +00
    Atlantic/Azores at 1993-09-26T01:00:00Z standard -3600 -01
    Atlantic/Azores local 1993-09-25T23:59:59 unique 1993-09-25T23:59:59Z
    Atlantic/Azores local 1993-09-26T00:00:00 doubled 1993-09-26T00:00:00Z 1993-09-26T01:00:00Z
    Atlantic/Azores local 1993-09-26T00:30:00 doubled 1993-09-26T00:30:00Z 1993-09-26T01:30:00Z
    Atlantic/Azores local 1993-09-26T00:59:59 doubled 1993-09-26T00:59:59Z 1993-09-26T01:59:59Z
    Atlantic/Azores local 1993-09-26T01:00:00 unique 1993-09-26T02:00:00Z
    Atlantic/Azores at 2025-07-01T12:00:00Z saving 0 +00
    Atlantic/Azores local 2025-01-15T07:30:00 unique 2025-01-15T08:30:00Z
    Atlantic/Azores at 2025-03-30T00:59:59Z standard -3600 -01
    Atlantic/Azores at 2025-03-30T01:00:00Z saving 0 +00
    Atlantic/Azores local 2025-03-29T23:59:59 unique 2025-03-30T00:59:59Z
    Atlantic/Azores local 2025-03-30T00:00:00 skipped 2025-03-30T01:00:00Z 3600
    Atlantic/Azores local 2025-03-30T00:30:00 skipped 2025-03-30T01:30:00Z 3600
    Atlantic/Azores local 2025-03-30T00:59:59 skipped 2025-03-30T01:59:59Z 3600
    Atlantic/Azores local 2025-03-30T01:00:00 unique 2025-03-30T01:00:00Z
    Atlantic/Azores at 2025-10-26T00:59:59Z saving 0 +00
    Atlantic/Azores at 2025-10-26T01:00:00Z standard -3600 -01
    Atlantic/Azores local 2025-10-25T23:59:59 unique 2025-10-25T23:59:59Z
    Atlantic/Azores local 2025-10-26T00:00:00 doubled 2025-10-26T00:00:00Z 2025-10-26T01:00:00Z
    Atlantic/Azores local 2025-10-26T00:30:00 doubled 2025-10-26T00:30:00Z 2025-10-26T01:30:00Z
    Atlantic/Azores local 2025-10-26T00:59:59 doubled 2025-10-26T00:59:59Z 2025-10-26T01:59:59Z
    Atlantic/Azores local 2025-10-26T01:00:00 unique 2025-10-26T02:00:00Z
    Atlantic/Azores at 2037-07-01T12:00:00Z saving 0 +00
    Atlantic/Azores local 2037-01-15T07:30:00 unique 2037-01-15T08:30:00Z
    Atlantic/Azores at 2037-03-29T00:59:59Z standard -3600 -01
    Atlantic/Azores at 2037-03-29T01:00:00Z saving 0 +00
    Atlantic/Azores local 2037-03-28T23:59:59 unique 2037-03-29T00:59:59Z
    Atlantic/Azores local 2037-03-29T00:00:00 skipped 2037-03-29T01:00:00Z 3600
    Atlantic/Azores local 2037-03-29T00:30:00 skipped 2037-03-29T01:30:00Z 3600
    Atlantic/Azores local 2037-03-29T00:59:59 skipped 2037-03-29T01:59:59Z 3600
    Atlantic/Azores local 2037-03-29T01:00:00 unique 2037-03-29T01:00:00Z
    Atlantic/Azores at 2037-10-25T00:59:59Z saving 0 +00
    Atlantic/Azores at 2037-10-25T01:00:00Z standard -3600 -01
    Atlantic/Azores local 2037-10-24T23:59:59 unique 2037-10-24T23:59:59Z
    Atlantic/Azores local 2037-10-25T00:00:00 doubled 2037-10-25T00:00:00Z 2037-10-25T01:00:00Z
    Atlantic/Azores local 2037-10-25T00:30:00 doubled 2037-10-25T00:30:00Z 2037-10-25T01:30:00Z
    Atlantic/Azores local 2037-10-25T00:59:59 doubled 2037-10-25T00:59:59Z 2037-10-25T01:59:59Z
    Atlantic/Azores local 2037-10-25T01:00:00 unique 2037-10-25T02:00:00Z
    Atlantic/Azores at 2100-07-01T12:00:00Z saving 0 +00
    Atlantic/Azores local 2100-01-15T07:30:00 unique 2100-01-15T08:30:00Z
    Atlantic/Azores at 2100-03-28T00:59:59Z standard -3600 -01
    Atlantic/Azores at 2100-03-28T01:00:00Z saving 0 +00
    Atlantic/Azores local 2100-03-27T23:59:59 unique 2100-03-28T00:59:59Z
    Atlantic/Azores local 2100-03-28T00:00:00 skipped 2100-03-28T01:00:00Z 3600
    Atlantic/Azores local 2100-03-28T00:30:00 skipped 2100-03-28T01:30:00Z 3600
    Atlantic/Azores local 2100-03-28T00:59:59 skipped 2100-03-28T01:59:59Z 3600
    Atlantic/Azores local 2100-03-28T01:00:00 unique 2100-03-28T01:00:00Z
    Atlantic/Azores at 2100-10-31T00:59:59Z saving 0 +00
    Atlantic/Azores at 2100-10-31T01:00:00Z standard -3600 -01
    Atlantic/Azores local 2100-10-30T23:59:59 unique 2100-10-30T23:59:59Z
    Atlantic/Azores local 2100-10-31T00:00:00 doubled 2100-10-31T00:00:00Z 2100-10-31T01:00:00Z
    Atlantic/Azores local 2100-10-31T00:30:00 doubled 2100-10-31T00:30:00Z 2100-10-31T01:30:00Z
    Atlantic/Azores local 2100-10-31T00:59:59 doubled 2100-10-31T00:59:59Z 2100-10-31T01:59:59Z
    Atlantic/Azores local 2100-10-31T01:00:00 unique 2100-10-31T02:00:00Z
    Atlantic/Azores at 2499-07-01T12:00:00Z saving 0 +00
    Atlantic/Azores local 2499-01-15T07:30:00 unique 2499-01-15T08:30:00Z
    Atlantic/Azores at 2499-03-29T00:59:59Z standard -3600 -01
    Atlantic/Azores at 2499-03-29T01:00:00Z saving 0 +00
    Atlantic/Azores local 2499-03-28T23:59:59 unique 2499-03-29T00:59:59Z
    Atlantic/Azores local 2499-03-29T00:00:00 skipped 2499-03-29T01:00:00Z 3600
    Atlantic/Azores local 2499-03-29T00:30:00 skipped 2499-03-29T01:30:00Z 3600
    Atlantic/Azores local 2499-03-29T00:59:59 skipped 2499-03-29T01:59:59Z 3600
    Atlantic/Azores local 2499-03-29T01:00:00 unique 2499-03-29T01:00:00Z
    Atlantic/Azores at 2499-10-25T00:59:59Z saving 0 +00
    Atlantic/Azores at 2499-10-25T01:00:00Z standard -3600 -01
    Atlantic/Azores local 2499-10-24T23:59:59 unique 2499-10-24T23:59:59Z
    Atlantic/Azores local 2499-10-25T00:00:00 doubled 2499-10-25T00:00:00Z 2499-10-25T01:00:00Z
    Atlantic/Azores local 2499-10-25T00:30:00 doubled 2499-10-25T00:30:00Z 2499-10-25T01:30:00Z
    Atlantic/Azores local 2499-10-25T00:59:59 doubled 2499-10-25T00:59:59Z 2499-10-25T01:59:59Z
    Atlantic/Azores local 2499-10-25T01:00:00 unique 2499-10-25T02:00:00Z
    Australia/Lord_Howe at 1985-07-01T12:00:00Z standard 37800 +1030
    Australia/Lord_Howe local 1985-01-15T07:30:00 unique 1985-01-14T20:00:00Z
    Australia/Lord_Howe at 1985-03-02T14:29:59Z saving 41400 +1130
    Australia/Lord_Howe at 1985-03-02T14:30:00Z standard 37800 +1030
    Australia/Lord_Howe local 1985-03-03T00:59:59 unique 1985-03-02T13:29:59Z
    Australia/Lord_Howe local 1985-03-03T01:00:00 doubled 1985-03-02T13:30:00Z 1985-03-02T14:30:00Z
    Australia/Lord_Howe local 1985-03-03T01:30:00 doubled 1985-03-02T14:00:00Z 1985-03-02T15:00:00Z
    Australia/Lord_Howe local 1985-03-03T01:59:59 doubled 1985-03-02T14:29:59Z 1985-03-02T15:29:59Z
    Australia/Lord_Howe local 1985-03-03T02:00:00 unique 1985-03-02T15:30:00Z
    Australia/Lord_Howe at 1985-10-26T15:29:59Z standard 37800 +1030
    Australia/Lord_Howe at 1985-10-26T15:30:00Z saving 39600 +11
    Australia/Lord_Howe local 1985-10-27T01:59:59 unique 1985-10-26T15:29:59Z
    Australia/Lord_Howe local 1985-10-27T02:00:00 skipped 1985-10-26T15:30:00Z 1800
    Australia/Lord_Howe local 1985-10-27T02:15:00 skipped 1985-10-26T15:45:00Z 1800
    Australia/Lord_Howe local 1985-10-27T02:29:59 skipped 1985-10-26T15:59:59Z 1800
    Australia/Lord_Howe local 1985-10-27T02:30:00 unique 1985-10-26T15:30:00Z
    Australia/Lord_Howe at 2025-07-01T12:00:00Z standard 37800 +1030
    Australia/Lord_Howe local 2025-01-15T07:30:00 unique 2025-01-14T20:30:00Z
    Australia/Lord_Howe at 2025-04-05T14:59:59Z saving 39600 +11
    Australia/Lord_Howe at 2025-04-05T15:00:00Z standard 37800 +1030
    Australia/Lord_Howe local 2025-04-06T01:29:59 unique 2025-04-05T14:29:59Z
    Australia/Lord_Howe local 2025-04-06T01:30:00 doubled 2025-04-05T14:30:00Z 2025-04-05T15:00:00Z
    Australia/Lord_Howe local 2025-04-06T01:45:00 doubled 2025-04-05T14:45:00Z 2025-04-05T15:15:00Z
    Australia/Lord_Howe local 2025-04-06T01:59:59 doubled 2025-04-05T14:59:59Z 2025-04-05T15:29:59Z
    Australia/Lord_Howe local 2025-04-06T02:00:00 unique 2025-04-05T15:30:00Z
    Australia/Lord_Howe at 2025-10-04T15:29:59Z standard 37800 +1030
    Australia/Lord_Howe at 2025-10-04T15:30:00Z saving 39600 +11
    Australia/Lord_Howe local 2025-10-05T01:59:59 unique 2025-10-04T15:29:59Z
    Australia/Lord_Howe local 2025-10-05T02:00:00 skipped 2025-10-04T15:30:00Z 1800
    Australia/Lord_Howe local 2025-10-05T02:15:00 skipped 2025-10-04T15:45:00Z 1800
    Australia/Lord_Howe local 2025-10-05T02:29:59 skipped 2025-10-04T15:59:59Z 1800
    Australia/Lord_Howe local 2025-10-05T02:30:00 unique 2025-10-04T15:30:00Z
    Australia/Lord_Howe at 2037-07-01T12:00:00Z standard 37800 +1030
    Australia/Lord_Howe local 2037-01-15T07:30:00 unique 2037-01-14T20:30:00Z
    Australia/Lord_Howe at 2037-04-04T14:59:59Z saving 39600 +11
    Australia/Lord_Howe at 2037-04-04T15:00:00Z standard 37800 +1030
    Australia/Lord_Howe local 2037-04-05T01:29:59 unique 2037-04-04T14:29:59Z
    Australia/Lord_Howe local 2037-04-05T01:30:00 doubled 2037-04-04T14:30:00Z 2037-04-04T15:00:00Z
    Australia/Lord_Howe local 2037-04-05T01:45:00 doubled 2037-04-04T14:45:00Z 2037-04-04T15:15:00Z
    Australia/Lord_Howe local 2037-04-05T01:59:59 doubled 2037-04-04T14:59:59Z 2037-04-04T15:29:59Z
    Australia/Lord_Howe local 2037-04-05T02:00:00 unique 2037-04-04T15:30:00Z
    Australia/Lord_Howe at 2037-10-03T15:29:59Z standard 37800 +1030
    Australia/Lord_Howe at 2037-10-03T15:30:00Z saving 39600 +11
    Australia/Lord_Howe local 2037-10-04T01:59:59 unique 2037-10-03T15:29:59Z
    Australia/Lord_Howe local 2037-10-04T02:00:00 skipped 2037-10-03T15:30:00Z 1800
    Australia/Lord_Howe local 2037-10-04T02:15:00 skipped 2037-10-03T15:45:00Z 1800
    Australia/Lord_Howe local 2037-10-04T02:29:59 skipped 2037-10-03T15:59:59Z 1800
    Australia/Lord_Howe local 2037-10-04T02:30:00 unique 2037-10-03T15:30:00Z
    Australia/Lord_Howe at 2100-07-01T12:00:00Z standard 37800 +1030
    Australia/Lord_Howe local 2100-01-15T07:30:00 unique 2100-01-14T20:30:00Z
    Australia/Lord_Howe at 2100-04-03T14:59:59Z saving 39600 +11
    Australia/Lord_Howe at 2100-04-03T15:00:00Z standard 37800 +1030
    Australia/Lord_Howe local 2100-04-04T01:29:59 unique 2100-04-03T14:29:59Z
    Australia/Lord_Howe local 2100-04-04T01:30:00 doubled 2100-04-03T14:30:00Z 2100-04-03T15:00:00Z
    Australia/Lord_Howe local 2100-04-04T01:45:00 doubled 2100-04-03T14:45:00Z 2100-04-03T15:15:00Z
    Australia/Lord_Howe local 2100-04-04T01:59:59 doubled 2100-04-03T14:59:59Z 2100-04-03T15:29:59Z
    Australia/Lord_Howe local 2100-04-04T02:00:00 unique 2100-04-03T15:30:00Z
    Australia/Lord_Howe at 2100-10-02T15:29:59Z standard 37800 +1030
    Australia/Lord_Howe at 2100-10-02T15:30:00Z saving 39600 +11
    Australia/Lord_Howe local 2100-10-03T01:59:59 unique 2100-10-02T15:29:59Z
    Australia/Lord_Howe local 2100-10-03T02:00:00 skipped 2100-10-02T15:30:00Z 1800
    Australia/Lord_Howe local 2100-10-03T02:15:00 skipped 2100-10-02T15:45:00Z 1800
    Australia/Lord_Howe local 2100-10-03T02:29:59 skipped 2100-10-02T15:59:59Z 1800
    Australia/Lord_Howe local 2100-10-03T02:30:00 unique 2100-10-02T15:30:00Z
    Australia/Lord_Howe at 2499-07-01T12:00:00Z standard 37800 +1030
    Australia/Lord_Howe local 2499-01-15T07:30:00 unique 2499-01-14T20:30:00Z
    Australia/Lord_Howe at 2499-04-04T14:59:59Z saving 39600 +11
    Australia/Lord_Howe at 2499-04-04T15:00:00Z standard 37800 +1030
    Australia/Lord_Howe local 2499-04-05T01:29:59 unique 2499-04-04T14:29:59Z
    Australia/Lord_Howe local 2499-04-05T01:30:00 doubled 2499-04-04T14:30:00Z 2499-04-04T15:00:00Z
    Australia/Lord_Howe local 2499-04-05T01:45:00 doubled 2499-04-04T14:45:00Z 2499-04-04T15:15:00Z
    Australia/Lord_Howe local 2499-04-05T01:59:59 doubled 2499-04-04T14:59:59Z 2499-04-04T15:29:59Z
    Australia/Lord_Howe local 2499-04-05T02:00:00 unique 2499-04-04T15:30:00Z
    Australia/Lord_Howe at 2499-10-03T15:29:59Z standard 37800 +1030
    Australia/Lord_Howe at 2499-10-03T15:30:00Z saving 39600 +11
    Australia/Lord_Howe local 2499-10-04T01:59:59 unique 2499-10-03T15:29:59Z
    Australia/Lord_Howe local 2499-10-04T02:00:00 skipped 2499-10-03T15:30:00Z 1800
    Australia/Lord_Howe local 2499-10-04T02:15:00 skipped 2499-10-03T15:45:00Z 1800
    Australia/Lord_Howe local 2499-10-04T02:29:59 skipped 2499-10-03T15:59:59Z 1800
    Australia/Lord_Howe local 2499-10-04T02:30:00 unique 2499-10-03T15:30:00Z
    Africa/Casablanca at 2018-07-01T12:00:00Z saving 3600 +01
    Africa/Casablanca local 2018-01-15T07:30:00 unique 2018-01-15T07:30:00Z
    Africa/Casablanca at 2018-03-25T01:59:59Z standard 0 +00
    Africa/Casablanca at 2018-03-25T02:00:00Z saving 3600 +01
    Africa/Casablanca local 2018-03-25T01:59:59 unique 2018-03-25T01:59:59Z
    Africa/Casablanca local 2018-03-25T02:00:00 skipped 2018-03-25T02:00:00Z 3600
    Africa/Casablanca local 2018-03-25T02:30:00 skipped 2018-03-25T02:30:00Z 3600
    Africa/Casablanca local 2018-03-25T02:59:59 skipped 2018-03-25T02:59:59Z 3600
    Africa/Casablanca local 2018-03-25T03:00:00 unique 2018-03-25T02:00:00Z
    Africa/Casablanca at 2018-05-13T01:59:59Z saving 3600 +01
    Africa/Casablanca at 2018-05-13T02:00:00Z standard 0 +00
    Africa/Casablanca local 2018-05-13T01:59:59 unique 2018-05-13T00:59:59Z
    Africa/Casablanca local 2018-05-13T02:00:00 doubled 2018-05-13T01:00:00Z 2018-05-13T02:00:00Z
    Africa/Casablanca local 2018-05-13T02:30:00 doubled 2018-05-13T01:30:00Z 2018-05-13T02:30:00Z
    Africa/Casablanca local 2018-05-13T02:59:59 doubled 2018-05-13T01:59:59Z 2018-05-13T02:59:59Z
    Africa/Casablanca local 2018-05-13T03:00:00 unique 2018-05-13T03:00:00Z
    Africa/Casablanca at 2018-06-17T01:59:59Z standard 0 +00
    Africa/Casablanca at 2018-06-17T02:00:00Z saving 3600 +01
    Africa/Casablanca local 2018-06-17T01:59:59 unique 2018-06-17T01:59:59Z
    Africa/Casablanca local 2018-06-17T02:00:00 skipped 2018-06-17T02:00:00Z 3600
    Africa/Casablanca local 2018-06-17T02:30:00 skipped 2018-06-17T02:30:00Z 3600
    Africa/Casablanca local 2018-06-17T02:59:59 skipped 2018-06-17T02:59:59Z 3600
    Africa/Casablanca local 2018-06-17T03:00:00 unique 2018-06-17T02:00:00Z
    Africa/Casablanca at 2025-07-01T12:00:00Z standard 3600 +01
    Africa/Casablanca local 2025-01-15T07:30:00 unique 2025-01-15T06:30:00Z
    Africa/Casablanca at 2025-02-23T01:59:59Z standard 3600 +01
    Africa/Casablanca at 2025-02-23T02:00:00Z saving 0 +00
    Africa/Casablanca local 2025-02-23T01:59:59 unique 2025-02-23T00:59:59Z
    Africa/Casablanca local 2025-02-23T02:00:00 doubled 2025-02-23T01:00:00Z 2025-02-23T02:00:00Z
    Africa/Casablanca local 2025-02-23T02:30:00 doubled 2025-02-23T01:30:00Z 2025-02-23T02:30:00Z
    Africa/Casablanca local 2025-02-23T02:59:59 doubled 2025-02-23T01:59:59Z 2025-02-23T02:59:59Z
    Africa/Casablanca local 2025-02-23T03:00:00 unique 2025-02-23T03:00:00Z
    Africa/Casablanca at 2025-04-06T01:59:59Z saving 0 +00
    Africa/Casablanca at 2025-04-06T02:00:00Z standard 3600 +01
    Africa/Casablanca local 2025-04-06T01:59:59 unique 2025-04-06T01:59:59Z
    Africa/Casablanca local 2025-04-06T02:00:00 skipped 2025-04-06T02:00:00Z 3600
    Africa/Casablanca local 2025-04-06T02:30:00 skipped 2025-04-06T02:30:00Z 3600
    Africa/Casablanca local 2025-04-06T02:59:59 skipped 2025-04-06T02:59:59Z 3600
    Africa/Casablanca local 2025-04-06T03:00:00 unique 2025-04-06T02:00:00Z
    Africa/Casablanca at 2037-07-01T12:00:00Z standard 3600 +01
    Africa/Casablanca local 2037-01-15T07:30:00 unique 2037-01-15T06:30:00Z
    Africa/Casablanca at 2037-10-04T01:59:59Z standard 3600 +01
    Africa/Casablanca at 2037-10-04T02:00:00Z saving 0 +00
    Africa/Casablanca local 2037-10-04T01:59:59 unique 2037-10-04T00:59:59Z
    Africa/Casablanca local 2037-10-04T02:00:00 doubled 2037-10-04T01:00:00Z 2037-10-04T02:00:00Z
    Africa/Casablanca local 2037-10-04T02:30:00 doubled 2037-10-04T01:30:00Z 2037-10-04T02:30:00Z
    Africa/Casablanca local 2037-10-04T02:59:59 doubled 2037-10-04T01:59:59Z 2037-10-04T02:59:59Z
    Africa/Casablanca local 2037-10-04T03:00:00 unique 2037-10-04T03:00:00Z
    Africa/Casablanca at 2037-11-15T01:59:59Z saving 0 +00
    Africa/Casablanca at 2037-11-15T02:00:00Z standard 3600 +01
    Africa/Casablanca local 2037-11-15T01:59:59 unique 2037-11-15T01:59:59Z
    Africa/Casablanca local 2037-11-15T02:00:00 skipped 2037-11-15T02:00:00Z 3600
    Africa/Casablanca local 2037-11-15T02:30:00 skipped 2037-11-15T02:30:00Z 3600
    Africa/Casablanca local 2037-11-15T02:59:59 skipped 2037-11-15T02:59:59Z 3600
    Africa/Casablanca local 2037-11-15T03:00:00 unique 2037-11-15T02:00:00Z
    Africa/Casablanca at 2086-07-01T12:00:00Z standard 3600 +01
    Africa/Casablanca local 2086-01-15T07:30:00 unique 2086-01-15T06:30:00Z
    Africa/Casablanca at 2086-04-14T01:59:59Z standard 3600 +01
    Africa/Casablanca at 2086-04-14T02:00:00Z saving 0 +00
    Africa/Casablanca local 2086-04-14T01:59:59 unique 2086-04-14T00:59:59Z
    Africa/Casablanca local 2086-04-14T02:00:00 doubled 2086-04-14T01:00:00Z 2086-04-14T02:00:00Z
    Africa/Casablanca local 2086-04-14T02:30:00 doubled 2086-04-14T01:30:00Z 2086-04-14T02:30:00Z
    Africa/Casablanca local 2086-04-14T02:59:59 doubled 2086-04-14T01:59:59Z 2086-04-14T02:59:59Z
    Africa/Casablanca local 2086-04-14T03:00:00 unique 2086-04-14T03:00:00Z
    Africa/Casablanca at 2086-05-19T01:59:59Z saving 0 +00
    Africa/Casablanca at 2086-05-19T02:00:00Z standard 3600 +01
    Africa/Casablanca local 2086-05-19T01:59:59 unique 2086-05-19T01:59:59Z
    Africa/Casablanca local 2086-05-19T02:00:00 skipped 2086-05-19T02:00:00Z 3600
    Africa/Casablanca local 2086-05-19T02:30:00 skipped 2086-05-19T02:30:00Z 3600
    Africa/Casablanca local 2086-05-19T02:59:59 skipped 2086-05-19T02:59:59Z 3600
    Africa/Casablanca local 2086-05-19T03:00:00 unique 2086-05-19T02:00:00Z
    Africa/Casablanca at 2100-07-01T12:00:00Z standard 3600 +01
    Africa/Casablanca local 2100-01-15T07:30:00 unique 2100-01-15T06:30:00Z
    Africa/Cairo at 2014-07-01T12:00:00Z standard 7200 EET
    Africa/Cairo local 2014-01-15T07:30:00 unique 2014-01-15T05:30:00Z
    Africa/Cairo at 2014-05-15T21:59:59Z standard 7200 EET
    Africa/Cairo at 2014-05-15T22:00:00Z saving 10800 EEST
    Africa/Cairo local 2014-05-15T23:59:59 unique 2014-05-15T21:59:59Z
    Africa/Cairo local 2014-05-16T00:00:00 skipped 2014-05-15T22:00:00Z 3600
    Africa/Cairo local 2014-05-16T00:30:00 skipped 2014-05-15T22:30:00Z 3600
    Africa/Cairo local 2014-05-16T00:59:59 skipped 2014-05-15T22:59:59Z 3600
    Africa/Cairo local 2014-05-16T01:00:00 unique 2014-05-15T22:00:00Z
    Africa/Cairo at 2014-06-26T20:59:59Z saving 10800 EEST
    Africa/Cairo at 2014-06-26T21:00:00Z standard 7200 EET
    Africa/Cairo local 2014-06-26T22:59:59 unique 2014-06-26T19:59:59Z
    Africa/Cairo local 2014-06-26T23:00:00 doubled 2014-06-26T20:00:00Z 2014-06-26T21:00:00Z
    Africa/Cairo local 2014-06-26T23:30:00 doubled 2014-06-26T20:30:00Z 2014-06-26T21:30:00Z
    Africa/Cairo local 2014-06-26T23:59:59 doubled 2014-06-26T20:59:59Z 2014-06-26T21:59:59Z
    Africa/Cairo local 2014-06-27T00:00:00 unique 2014-06-26T22:00:00Z
    Africa/Cairo at 2014-07-31T21:59:59Z standard 7200 EET
    Africa/Cairo at 2014-07-31T22:00:00Z saving 10800 EEST
    Africa/Cairo local 2014-07-31T23:59:59 unique 2014-07-31T21:59:59Z
    Africa/Cairo local 2014-08-01T00:00:00 skipped 2014-07-31T22:00:00Z 3600
    Africa/Cairo local 2014-08-01T00:30:00 skipped 2014-07-31T22:30:00Z 3600
    Africa/Cairo local 2014-08-01T00:59:59 skipped 2014-07-31T22:59:59Z 3600
    Africa/Cairo local 2014-08-01T01:00:00 unique 2014-07-31T22:00:00Z
    Africa/Cairo at 2014-09-25T20:59:59Z saving 10800 EEST
    Africa/Cairo at 2014-09-25T21:00:00Z standard 7200 EET
    Africa/Cairo local 2014-09-25T22:59:59 unique 2014-09-25T19:59:59Z
    Africa/Cairo local 2014-09-25T23:00:00 doubled 2014-09-25T20:00:00Z 2014-09-25T21:00:00Z
    Africa/Cairo local 2014-09-25T23:30:00 doubled 2014-09-25T20:30:00Z 2014-09-25T21:30:00Z
    Africa/Cairo local 2014-09-25T23:59:59 doubled 2014-09-25T20:59:59Z 2014-09-25T21:59:59Z
    Africa/Cairo local 2014-09-26T00:00:00 unique 2014-09-25T22:00:00Z
    Africa/Cairo at 2025-07-01T12:00:00Z saving 10800 EEST
    Africa/Cairo local 2025-01-15T07:30:00 unique 2025-01-15T05:30:00Z
    Africa/Cairo at 2025-04-24T21:59:59Z standard 7200 EET
    Africa/Cairo at 2025-04-24T22:00:00Z saving 10800 EEST
    Africa/Cairo local 2025-04-24T23:59:59 unique 2025-04-24T21:59:59Z
    Africa/Cairo local 2025-04-25T00:00:00 skipped 2025-04-24T22:00:00Z 3600
    Africa/Cairo local 2025-04-25T00:30:00 skipped 2025-04-24T22:30:00Z 3600
    Africa/Cairo local 2025-04-25T00:59:59 skipped 2025-04-24T22:59:59Z 3600
    Africa/Cairo local 2025-04-25T01:00:00 unique 2025-04-24T22:00:00Z
    Africa/Cairo at 2025-10-30T20:59:59Z saving 10800 EEST
    Africa/Cairo at 2025-10-30T21:00:00Z standard 7200 EET
    Africa/Cairo local 2025-10-30T22:59:59 unique 2025-10-30T19:59:59Z
    Africa/Cairo local 2025-10-30T23:00:00 doubled 2025-10-30T20:00:00Z 2025-10-30T21:00:00Z
    Africa/Cairo local 2025-10-30T23:30:00 doubled 2025-10-30T20:30:00Z 2025-10-30T21:30:00Z
    Africa/Cairo local 2025-10-30T23:59:59 doubled 2025-10-30T20:59:59Z 2025-10-30T21:59:59Z
    Africa/Cairo local 2025-10-31T00:00:00 unique 2025-10-30T22:00:00Z
    Africa/Cairo at 2037-07-01T12:00:00Z saving 10800 EEST
    Africa/Cairo local 2037-01-15T07:30:00 unique 2037-01-15T05:30:00Z
    Africa/Cairo at 2037-04-23T21:59:59Z standard 7200 EET
    Africa/Cairo at 2037-04-23T22:00:00Z saving 10800 EEST
    Africa/Cairo local 2037-04-23T23:59:59 unique 2037-04-23T21:59:59Z
    Africa/Cairo local 2037-04-24T00:00:00 skipped 2037-04-23T22:00:00Z 3600
    Africa/Cairo local 2037-04-24T00:30:00 skipped 2037-04-23T22:30:00Z 3600
    Africa/Cairo local 2037-04-24T00:59:59 skipped 2037-04-23T22:59:59Z 3600
    Africa/Cairo local 2037-04-24T01:00:00 unique 2037-04-23T22:00:00Z
    Africa/Cairo at 2037-10-29T20:59:59Z saving 10800 EEST
    Africa/Cairo at 2037-10-29T21:00:00Z standard 7200 EET
    Africa/Cairo local 2037-10-29T22:59:59 unique 2037-10-29T19:59:59Z
    Africa/Cairo local 2037-10-29T23:00:00 doubled 2037-10-29T20:00:00Z 2037-10-29T21:00:00Z
    Africa/Cairo local 2037-10-29T23:30:00 doubled 2037-10-29T20:30:00Z 2037-10-29T21:30:00Z
    Africa/Cairo local 2037-10-29T23:59:59 doubled 2037-10-29T20:59:59Z 2037-10-29T21:59:59Z
    Africa/Cairo local 2037-10-30T00:00:00 unique 2037-10-29T22:00:00Z
    Africa/Cairo at 2100-07-01T12:00:00Z saving 10800 EEST
    Africa/Cairo local 2100-01-15T07:30:00 unique 2100-01-15T05:30:00Z
    Africa/Cairo at 2100-04-29T21:59:59Z standard 7200 EET
    Africa/Cairo at 2100-04-29T22:00:00Z saving 10800 EEST
    Africa/Cairo local 2100-04-29T23:59:59 unique 2100-04-29T21:59:59Z
    Africa/Cairo local 2100-04-30T00:00:00 skipped 2100-04-29T22:00:00Z 3600
    Africa/Cairo local 2100-04-30T00:30:00 skipped 2100-04-29T22:30:00Z 3600
    Africa/Cairo local 2100-04-30T00:59:59 skipped 2100-04-29T22:59:59Z 3600
    Africa/Cairo local 2100-04-30T01:00:00 unique 2100-04-29T22:00:00Z
    Africa/Cairo at 2100-10-28T20:59:59Z saving 10800 EEST
    Africa/Cairo at 2100-10-28T21:00:00Z standard 7200 EET
    Africa/Cairo local 2100-10-28T22:59:59 unique 2100-10-28T19:59:59Z
    Africa/Cairo local 2100-10-28T23:00:00 doubled 2100-10-28T20:00:00Z 2100-10-28T21:00:00Z
    Africa/Cairo local 2100-10-28T23:30:00 doubled 2100-10-28T20:30:00Z 2100-10-28T21:30:00Z
    Africa/Cairo local 2100-10-28T23:59:59 doubled 2100-10-28T20:59:59Z 2100-10-28T21:59:59Z
    Africa/Cairo local 2100-10-29T00:00:00 unique 2100-10-28T22:00:00Z
    Africa/Cairo at 2499-07-01T12:00:00Z saving 10800 EEST
    Africa/Cairo local 2499-01-15T07:30:00 unique 2499-01-15T05:30:00Z
    Africa/Cairo at 2499-04-23T21:59:59Z standard 7200 EET
    Africa/Cairo at 2499-04-23T22:00:00Z saving 10800 EEST
    Africa/Cairo local 2499-04-23T23:59:59 unique 2499-04-23T21:59:59Z
    Africa/Cairo local 2499-04-24T00:00:00 skipped 2499-04-23T22:00:00Z 3600
    Africa/Cairo local 2499-04-24T00:30:00 skipped 2499-04-23T22:30:00Z 3600
    Africa/Cairo local 2499-04-24T00:59:59 skipped 2499-04-23T22:59:59Z 3600
    Africa/Cairo local 2499-04-24T01:00:00 unique 2499-04-23T22:00:00Z
    Africa/Cairo at 2499-10-29T20:59:59Z saving 10800 EEST
    Africa/Cairo at 2499-10-29T21:00:00Z standard 7200 EET
    Africa/Cairo local 2499-10-29T22:59:59 unique 2499-10-29T19:59:59Z
    Africa/Cairo local 2499-10-29T23:00:00 doubled 2499-10-29T20:00:00Z 2499-10-29T21:00:00Z
    Africa/Cairo local 2499-10-29T23:30:00 doubled 2499-10-29T20:30:00Z 2499-10-29T21:30:00Z
    Africa/Cairo local 2499-10-29T23:59:59 doubled 2499-10-29T20:59:59Z 2499-10-29T21:59:59Z
    Africa/Cairo local 2499-10-30T00:00:00 unique 2499-10-29T22:00:00Z
    Asia/Tehran at 1977-07-01T12:00:00Z saving 16200 +0430
    Asia/Tehran local 1977-01-15T07:30:00 unique 1977-01-15T04:00:00Z
    Asia/Tehran at 1977-03-21T19:29:59Z standard 12600 +0330
    Asia/Tehran at 1977-03-21T19:30:00Z saving 16200 +0430
    Asia/Tehran local 1977-03-21T22:59:59 unique 1977-03-21T19:29:59Z
    Asia/Tehran local 1977-03-21T23:00:00 skipped 1977-03-21T19:30:00Z 3600
    Asia/Tehran local 1977-03-21T23:30:00 skipped 1977-03-21T20:00:00Z 3600
    Asia/Tehran local 1977-03-21T23:59:59 skipped 1977-03-21T20:29:59Z 3600
    Asia/Tehran local 1977-03-22T00:00:00 unique 1977-03-21T19:30:00Z
    Asia/Tehran at 1977-10-20T19:29:59Z saving 16200 +0430
    Asia/Tehran at 1977-10-20T19:30:00Z standard 14400 +04
    Asia/Tehran local 1977-10-20T23:29:59 unique 1977-10-20T18:59:59Z
    Asia/Tehran local 1977-10-20T23:30:00 doubled 1977-10-20T19:00:00Z 1977-10-20T19:30:00Z
    Asia/Tehran local 1977-10-20T23:45:00 doubled 1977-10-20T19:15:00Z 1977-10-20T19:45:00Z
    Asia/Tehran local 1977-10-20T23:59:59 doubled 1977-10-20T19:29:59Z 1977-10-20T19:59:59Z
    Asia/Tehran local 1977-10-21T00:00:00 unique 1977-10-20T20:00:00Z
    Asia/Tehran at 2022-07-01T12:00:00Z saving 16200 +0430
    Asia/Tehran local 2022-01-15T07:30:00 unique 2022-01-15T04:00:00Z
    Asia/Tehran at 2022-03-21T20:29:59Z standard 12600 +0330
    Asia/Tehran at 2022-03-21T20:30:00Z saving 16200 +0430
    Asia/Tehran local 2022-03-21T23:59:59 unique 2022-03-21T20:29:59Z
    Asia/Tehran local 2022-03-22T00:00:00 skipped 2022-03-21T20:30:00Z 3600
    Asia/Tehran local 2022-03-22T00:30:00 skipped 2022-03-21T21:00:00Z 3600
    Asia/Tehran local 2022-03-22T00:59:59 skipped 2022-03-21T21:29:59Z 3600
    Asia/Tehran local 2022-03-22T01:00:00 unique 2022-03-21T20:30:00Z
    Asia/Tehran at 2022-09-21T19:29:59Z saving 16200 +0430
    Asia/Tehran at 2022-09-21T19:30:00Z standard 12600 +0330
    Asia/Tehran local 2022-09-21T22:59:59 unique 2022-09-21T18:29:59Z
    Asia/Tehran local 2022-09-21T23:00:00 doubled 2022-09-21T18:30:00Z 2022-09-21T19:30:00Z
    Asia/Tehran local 2022-09-21T23:30:00 doubled 2022-09-21T19:00:00Z 2022-09-21T20:00:00Z
    Asia/Tehran local 2022-09-21T23:59:59 doubled 2022-09-21T19:29:59Z 2022-09-21T20:29:59Z
    Asia/Tehran local 2022-09-22T00:00:00 unique 2022-09-21T20:30:00Z
    Asia/Tehran at 2037-07-01T12:00:00Z standard 12600 +0330
    Asia/Tehran local 2037-01-15T07:30:00 unique 2037-01-15T04:00:00Z
    Asia/Tehran at 2499-07-01T12:00:00Z standard 12600 +0330
    Asia/Tehran local 2499-01-15T07:30:00 unique 2499-01-15T04:00:00Z
    Asia/Gaza at 2025-07-01T12:00:00Z saving 10800 EEST
    Asia/Gaza local 2025-01-15T07:30:00 unique 2025-01-15T05:30:00Z
    Asia/Gaza at 2025-04-11T23:59:59Z standard 7200 EET
    Asia/Gaza at 2025-04-12T00:00:00Z saving 10800 EEST
    Asia/Gaza local 2025-04-12T01:59:59 unique 2025-04-11T23:59:59Z
    Asia/Gaza local 2025-04-12T02:00:00 skipped 2025-04-12T00:00:00Z 3600
    Asia/Gaza local 2025-04-12T02:30:00 skipped 2025-04-12T00:30:00Z 3600
    Asia/Gaza local 2025-04-12T02:59:59 skipped 2025-04-12T00:59:59Z 3600
    Asia/Gaza local 2025-04-12T03:00:00 unique 2025-04-12T00:00:00Z
    Asia/Gaza at 2025-10-24T22:59:59Z saving 10800 EEST
    Asia/Gaza at 2025-10-24T23:00:00Z standard 7200 EET
    Asia/Gaza local 2025-10-25T00:59:59 unique 2025-10-24T21:59:59Z
    Asia/Gaza local 2025-10-25T01:00:00 doubled 2025-10-24T22:00:00Z 2025-10-24T23:00:00Z
    Asia/Gaza local 2025-10-25T01:30:00 doubled 2025-10-24T22:30:00Z 2025-10-24T23:30:00Z
    Asia/Gaza local 2025-10-25T01:59:59 doubled 2025-10-24T22:59:59Z 2025-10-24T23:59:59Z
    Asia/Gaza local 2025-10-25T02:00:00 unique 2025-10-25T00:00:00Z
    Asia/Gaza at 2037-07-01T12:00:00Z saving 10800 EEST
    Asia/Gaza local 2037-01-15T07:30:00 unique 2037-01-15T05:30:00Z
    Asia/Gaza at 2037-03-27T23:59:59Z standard 7200 EET
    Asia/Gaza at 2037-03-28T00:00:00Z saving 10800 EEST
    Asia/Gaza local 2037-03-28T01:59:59 unique 2037-03-27T23:59:59Z
    Asia/Gaza local 2037-03-28T02:00:00 skipped 2037-03-28T00:00:00Z 3600
    Asia/Gaza local 2037-03-28T02:30:00 skipped 2037-03-28T00:30:00Z 3600
    Asia/Gaza local 2037-03-28T02:59:59 skipped 2037-03-28T00:59:59Z 3600
    Asia/Gaza local 2037-03-28T03:00:00 unique 2037-03-28T00:00:00Z
    Asia/Gaza at 2037-10-09T22:59:59Z saving 10800 EEST
    Asia/Gaza at 2037-10-09T23:00:00Z standard 7200 EET
    Asia/Gaza local 2037-10-10T00:59:59 unique 2037-10-09T21:59:59Z
    Asia/Gaza local 2037-10-10T01:00:00 doubled 2037-10-09T22:00:00Z 2037-10-09T23:00:00Z
    Asia/Gaza local 2037-10-10T01:30:00 doubled 2037-10-09T22:30:00Z 2037-10-09T23:30:00Z
    Asia/Gaza local 2037-10-10T01:59:59 doubled 2037-10-09T22:59:59Z 2037-10-09T23:59:59Z
    Asia/Gaza local 2037-10-10T02:00:00 unique 2037-10-10T00:00:00Z
    Asia/Gaza at 2100-07-01T12:00:00Z saving 10800 EEST
    Asia/Gaza local 2100-01-15T07:30:00 unique 2100-01-15T05:30:00Z
    Asia/Gaza at 2100-03-26T23:59:59Z standard 7200 EET
    Asia/Gaza at 2100-03-27T00:00:00Z saving 10800 EEST
    Asia/Gaza local 2100-03-27T01:59:59 unique 2100-03-26T23:59:59Z
    Asia/Gaza local 2100-03-27T02:00:00 skipped 2100-03-27T00:00:00Z 3600
    Asia/Gaza local 2100-03-27T02:30:00 skipped 2100-03-27T00:30:00Z 3600
    Asia/Gaza local 2100-03-27T02:59:59 skipped 2100-03-27T00:59:59Z 3600
    Asia/Gaza local 2100-03-27T03:00:00 unique 2100-03-27T00:00:00Z
    Asia/Gaza at 2100-10-29T22:59:59Z saving 10800 EEST
    Asia/Gaza at 2100-10-29T23:00:00Z standard 7200 EET
    Asia/Gaza local 2100-10-30T00:59:59 unique 2100-10-29T21:59:59Z
    Asia/Gaza local 2100-10-30T01:00:00 doubled 2100-10-29T22:00:00Z 2100-10-29T23:00:00Z
    Asia/Gaza local 2100-10-30T01:30:00 doubled 2100-10-29T22:30:00Z 2100-10-29T23:30:00Z
    Asia/Gaza local 2100-10-30T01:59:59 doubled 2100-10-29T22:59:59Z 2100-10-29T23:59:59Z
    Asia/Gaza local 2100-10-30T02:00:00 unique 2100-10-30T00:00:00Z
    Asia/Kathmandu at 1986-07-01T12:00:00Z standard 20700 +0545
    Asia/Kathmandu local 1986-01-15T07:30:00 unique 1986-01-15T01:45:00Z
    Asia/Kathmandu at 2037-07-01T12:00:00Z standard 20700 +0545
    Asia/Kathmandu local 2037-01-15T07:30:00 unique 2037-01-15T01:45:00Z
    Asia/Kathmandu at 2499-07-01T12:00:00Z standard 20700 +0545
    Asia/Kathmandu local 2499-01-15T07:30:00 unique 2499-01-15T01:45:00Z
    Pacific/Apia at 2011-07-01T12:00:00Z standard -39600 -11
    Pacific/Apia local 2011-01-15T07:30:00 unique 2011-01-15T17:30:00Z
    Pacific/Apia at 2011-04-02T13:59:59Z saving -36000 -10
    Pacific/Apia at 2011-04-02T14:00:00Z standard -39600 -11
    Pacific/Apia local 2011-04-02T02:59:59 unique 2011-04-02T12:59:59Z
    Pacific/Apia local 2011-04-02T03:00:00 doubled 2011-04-02T13:00:00Z 2011-04-02T14:00:00Z
    Pacific/Apia local 2011-04-02T03:30:00 doubled 2011-04-02T13:30:00Z 2011-04-02T14:30:00Z
    Pacific/Apia local 2011-04-02T03:59:59 doubled 2011-04-02T13:59:59Z 2011-04-02T14:59:59Z
    Pacific/Apia local 2011-04-02T04:00:00 unique 2011-04-02T15:00:00Z
    Pacific/Apia at 2011-09-24T13:59:59Z standard -39600 -11
    Pacific/Apia at 2011-09-24T14:00:00Z saving -36000 -10
    Pacific/Apia local 2011-09-24T02:59:59 unique 2011-09-24T13:59:59Z
    Pacific/Apia local 2011-09-24T03:00:00 skipped 2011-09-24T14:00:00Z 3600
    Pacific/Apia local 2011-09-24T03:30:00 skipped 2011-09-24T14:30:00Z 3600
    Pacific/Apia local 2011-09-24T03:59:59 skipped 2011-09-24T14:59:59Z 3600
    Pacific/Apia local 2011-09-24T04:00:00 unique 2011-09-24T14:00:00Z
    Pacific/Apia at 2011-12-30T09:59:59Z saving -36000 -10
    Pacific/Apia at 2011-12-30T10:00:00Z saving 50400 +14
    Pacific/Apia local 2011-12-29T23:59:59 unique 2011-12-30T09:59:59Z
    Pacific/Apia local 2011-12-30T00:00:00 skipped 2011-12-30T10:00:00Z 86400
    Pacific/Apia local 2011-12-30T12:00:00 skipped 2011-12-30T22:00:00Z 86400
    Pacific/Apia local 2011-12-30T23:59:59 skipped 2011-12-31T09:59:59Z 86400
    Pacific/Apia local 2011-12-31T00:00:00 unique 2011-12-30T10:00:00Z
    Pacific/Apia at 2021-07-01T12:00:00Z standard 46800 +13
    Pacific/Apia local 2021-01-15T07:30:00 unique 2021-01-14T17:30:00Z
    Pacific/Apia at 2021-04-03T13:59:59Z saving 50400 +14
    Pacific/Apia at 2021-04-03T14:00:00Z standard 46800 +13
    Pacific/Apia local 2021-04-04T02:59:59 unique 2021-04-03T12:59:59Z
    Pacific/Apia local 2021-04-04T03:00:00 doubled 2021-04-03T13:00:00Z 2021-04-03T14:00:00Z
    Pacific/Apia local 2021-04-04T03:30:00 doubled 2021-04-03T13:30:00Z 2021-04-03T14:30:00Z
    Pacific/Apia local 2021-04-04T03:59:59 doubled 2021-04-03T13:59:59Z 2021-04-03T14:59:59Z
    Pacific/Apia local 2021-04-04T04:00:00 unique 2021-04-03T15:00:00Z
    Pacific/Apia at 2037-07-01T12:00:00Z standard 46800 +13
    Pacific/Apia local 2037-01-15T07:30:00 unique 2037-01-14T18:30:00Z
    Pacific/Apia at 2499-07-01T12:00:00Z standard 46800 +13
    Pacific/Apia local 2499-01-15T07:30:00 unique 2499-01-14T18:30:00Z
    """
