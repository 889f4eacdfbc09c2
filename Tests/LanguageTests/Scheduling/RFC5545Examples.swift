import Testing

/// Examples of RFC 5545, section 3.8.5.3, with their published results; UNTIL is in local time.
///
/// By default, examples with a plain list of days begin on 1997-09-02 at 09:00 and are due at
/// 09:00. A list ends at the `...` of RFC 5545, if there is one.
struct RFC5545Example: Sendable, CustomTestStringConvertible {
    let rule: String
    let start: String
    let slots: [String]
    /// Whether the list is complete.
    let isComplete: Bool

    init(
        _ rule: String,
        from start: String = "1997-09-02",
        _ days: String,
        isComplete: Bool = false
    ) {
        self.rule = rule
        self.start = "\(start) 09:00"
        slots = days.split(whereSeparator: \.isWhitespace).map { "\($0) 09:00" }
        self.isComplete = isComplete
    }

    init(_ rule: String, times: [String]) {
        self.rule = rule
        start = "1997-09-02 09:00"
        slots = times
        isComplete = false
    }

    var testDescription: String { rule }

    static let all: [RFC5545Example] = [
        RFC5545Example(
            "FREQ=DAILY;COUNT=10",
            """
            1997-09-02 1997-09-03 1997-09-04 1997-09-05 1997-09-06 1997-09-07 1997-09-08 1997-09-09
            1997-09-10 1997-09-11
            """,
            isComplete: true
        ),
        RFC5545Example(
            "FREQ=DAILY;INTERVAL=2",
            "1997-09-02 1997-09-04 1997-09-06 1997-09-08 1997-09-10 1997-09-12 1997-09-14 1997-09-16"
        ),
        RFC5545Example(
            "FREQ=DAILY;INTERVAL=10;COUNT=5",
            "1997-09-02 1997-09-12 1997-09-22 1997-10-02 1997-10-12",
            isComplete: true
        ),
        RFC5545Example(
            "FREQ=WEEKLY;COUNT=10",
            """
            1997-09-02 1997-09-09 1997-09-16 1997-09-23 1997-09-30 1997-10-07 1997-10-14 1997-10-21
            1997-10-28 1997-11-04
            """,
            isComplete: true
        ),
        RFC5545Example(
            "FREQ=WEEKLY;INTERVAL=2;WKST=SU",
            """
            1997-09-02 1997-09-16 1997-09-30 1997-10-14 1997-10-28 1997-11-11 1997-11-25 1997-12-09
            1997-12-23 1998-01-06 1998-01-20 1998-02-03 1998-02-17
            """
        ),
        RFC5545Example(
            "FREQ=WEEKLY;COUNT=10;WKST=SU;BYDAY=TU,TH",
            """
            1997-09-02 1997-09-04 1997-09-09 1997-09-11 1997-09-16 1997-09-18 1997-09-23 1997-09-25
            1997-09-30 1997-10-02
            """,
            isComplete: true
        ),
        RFC5545Example(
            "FREQ=WEEKLY;INTERVAL=2;UNTIL=19971223T235959;WKST=SU;BYDAY=MO,WE,FR",
            from: "1997-09-01",
            """
            1997-09-01 1997-09-03 1997-09-05 1997-09-15 1997-09-17 1997-09-19 1997-09-29 1997-10-01
            1997-10-03 1997-10-13 1997-10-15 1997-10-17 1997-10-27 1997-10-29 1997-10-31 1997-11-10
            1997-11-12 1997-11-14 1997-11-24 1997-11-26 1997-11-28 1997-12-08 1997-12-10 1997-12-12
            1997-12-22
            """,
            isComplete: true
        ),
        RFC5545Example(
            "FREQ=WEEKLY;INTERVAL=2;COUNT=8;WKST=SU;BYDAY=TU,TH",
            "1997-09-02 1997-09-04 1997-09-16 1997-09-18 1997-09-30 1997-10-02 1997-10-14 1997-10-16",
            isComplete: true
        ),
        RFC5545Example(
            "FREQ=MONTHLY;COUNT=10;BYDAY=1FR",
            from: "1997-09-05",
            """
            1997-09-05 1997-10-03 1997-11-07 1997-12-05 1998-01-02 1998-02-06 1998-03-06 1998-04-03
            1998-05-01 1998-06-05
            """,
            isComplete: true
        ),
        RFC5545Example(
            "FREQ=MONTHLY;INTERVAL=2;COUNT=10;BYDAY=1SU,-1SU",
            from: "1997-09-07",
            """
            1997-09-07 1997-09-28 1997-11-02 1997-11-30 1998-01-04 1998-01-25 1998-03-01 1998-03-29
            1998-05-03 1998-05-31
            """,
            isComplete: true
        ),
        RFC5545Example(
            "FREQ=MONTHLY;COUNT=6;BYDAY=-2MO",
            from: "1997-09-22",
            "1997-09-22 1997-10-20 1997-11-17 1997-12-22 1998-01-19 1998-02-16",
            isComplete: true
        ),
        RFC5545Example(
            "FREQ=MONTHLY;BYMONTHDAY=-3",
            from: "1997-09-28",
            "1997-09-28 1997-10-29 1997-11-28 1997-12-29 1998-01-29 1998-02-26"
        ),
        RFC5545Example(
            "FREQ=MONTHLY;COUNT=10;BYMONTHDAY=2,15",
            """
            1997-09-02 1997-09-15 1997-10-02 1997-10-15 1997-11-02 1997-11-15 1997-12-02 1997-12-15
            1998-01-02 1998-01-15
            """,
            isComplete: true
        ),
        RFC5545Example(
            "FREQ=MONTHLY;COUNT=10;BYMONTHDAY=1,-1",
            from: "1997-09-30",
            """
            1997-09-30 1997-10-01 1997-10-31 1997-11-01 1997-11-30 1997-12-01 1997-12-31 1998-01-01
            1998-01-31 1998-02-01
            """,
            isComplete: true
        ),
        RFC5545Example(
            "FREQ=MONTHLY;INTERVAL=18;COUNT=10;BYMONTHDAY=10,11,12,13,14,15",
            from: "1997-09-10",
            """
            1997-09-10 1997-09-11 1997-09-12 1997-09-13 1997-09-14 1997-09-15 1999-03-10 1999-03-11
            1999-03-12 1999-03-13
            """,
            isComplete: true
        ),
        RFC5545Example(
            "FREQ=MONTHLY;INTERVAL=2;BYDAY=TU",
            """
            1997-09-02 1997-09-09 1997-09-16 1997-09-23 1997-09-30 1997-11-04 1997-11-11 1997-11-18
            1997-11-25 1998-01-06 1998-01-13 1998-01-20 1998-01-27 1998-03-03 1998-03-10 1998-03-17
            1998-03-24 1998-03-31
            """
        ),
        RFC5545Example(
            "FREQ=YEARLY;COUNT=10;BYMONTH=6,7",
            from: "1997-06-10",
            """
            1997-06-10 1997-07-10 1998-06-10 1998-07-10 1999-06-10 1999-07-10 2000-06-10 2000-07-10
            2001-06-10 2001-07-10
            """,
            isComplete: true
        ),
        RFC5545Example(
            "FREQ=YEARLY;INTERVAL=2;COUNT=10;BYMONTH=1,2,3",
            from: "1997-03-10",
            """
            1997-03-10 1999-01-10 1999-02-10 1999-03-10 2001-01-10 2001-02-10 2001-03-10 2003-01-10
            2003-02-10 2003-03-10
            """,
            isComplete: true
        ),
        RFC5545Example(
            "FREQ=YEARLY;INTERVAL=3;COUNT=10;BYYEARDAY=1,100,200",
            from: "1997-01-01",
            """
            1997-01-01 1997-04-10 1997-07-19 2000-01-01 2000-04-09 2000-07-18 2003-01-01 2003-04-10
            2003-07-19 2006-01-01
            """,
            isComplete: true
        ),
        RFC5545Example(
            "FREQ=YEARLY;BYDAY=20MO",
            from: "1997-05-19",
            "1997-05-19 1998-05-18 1999-05-17"
        ),
        RFC5545Example(
            "FREQ=YEARLY;BYWEEKNO=20;BYDAY=MO",
            from: "1997-05-12",
            "1997-05-12 1998-05-11 1999-05-17"
        ),
        RFC5545Example(
            "FREQ=YEARLY;BYMONTH=3;BYDAY=TH",
            from: "1997-03-13",
            """
            1997-03-13 1997-03-20 1997-03-27 1998-03-05 1998-03-12 1998-03-19 1998-03-26 1999-03-04
            1999-03-11 1999-03-18 1999-03-25
            """
        ),
        RFC5545Example(
            "FREQ=YEARLY;BYDAY=TH;BYMONTH=6,7,8",
            from: "1997-06-05",
            """
            1997-06-05 1997-06-12 1997-06-19 1997-06-26 1997-07-03 1997-07-10 1997-07-17 1997-07-24
            1997-07-31 1997-08-07 1997-08-14 1997-08-21 1997-08-28 1998-06-04
            """
        ),
        RFC5545Example(
            "FREQ=MONTHLY;BYDAY=FR;BYMONTHDAY=13",
            "1998-02-13 1998-03-13 1998-11-13 1999-08-13 2000-10-13"
        ),
        RFC5545Example(
            "FREQ=MONTHLY;BYDAY=SA;BYMONTHDAY=7,8,9,10,11,12,13",
            from: "1997-09-13",
            """
            1997-09-13 1997-10-11 1997-11-08 1997-12-13 1998-01-10 1998-02-07 1998-03-07 1998-04-11
            1998-05-09 1998-06-13
            """
        ),
        RFC5545Example(
            "FREQ=YEARLY;INTERVAL=4;BYMONTH=11;BYDAY=TU;BYMONTHDAY=2,3,4,5,6,7,8",
            from: "1996-11-05",
            "1996-11-05 2000-11-07 2004-11-02"
        ),
        RFC5545Example(
            "FREQ=MONTHLY;COUNT=3;BYDAY=TU,WE,TH;BYSETPOS=3",
            from: "1997-09-04",
            "1997-09-04 1997-10-07 1997-11-06",
            isComplete: true
        ),
        RFC5545Example(
            "FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-2",
            from: "1997-09-29",
            "1997-09-29 1997-10-30 1997-11-27 1997-12-30 1998-01-29 1998-02-26 1998-03-30"
        ),
        RFC5545Example(
            "FREQ=WEEKLY;INTERVAL=2;COUNT=4;BYDAY=TU,SU;WKST=MO",
            from: "1997-08-05",
            "1997-08-05 1997-08-10 1997-08-19 1997-08-24",
            isComplete: true
        ),
        RFC5545Example(
            "FREQ=WEEKLY;INTERVAL=2;COUNT=4;BYDAY=TU,SU;WKST=SU",
            from: "1997-08-05",
            "1997-08-05 1997-08-17 1997-08-19 1997-08-31",
            isComplete: true
        ),
        RFC5545Example(
            "FREQ=MONTHLY;BYMONTHDAY=15,30;COUNT=5",
            from: "2007-01-15",
            "2007-01-15 2007-01-30 2007-02-15 2007-03-15 2007-03-30",
            isComplete: true
        ),
        RFC5545Example(
            "FREQ=HOURLY;INTERVAL=3;UNTIL=19970902T170000",
            times: ["1997-09-02 09:00", "1997-09-02 12:00", "1997-09-02 15:00"]
        ),
        RFC5545Example(
            "FREQ=MINUTELY;INTERVAL=15;COUNT=6",
            times: [
                "1997-09-02 09:00", "1997-09-02 09:15", "1997-09-02 09:30", "1997-09-02 09:45",
                "1997-09-02 10:00", "1997-09-02 10:15",
            ]
        ),
        RFC5545Example(
            "FREQ=MINUTELY;INTERVAL=90;COUNT=4",
            times: [
                "1997-09-02 09:00", "1997-09-02 10:30", "1997-09-02 12:00", "1997-09-02 13:30",
            ]
        ),
        RFC5545Example(
            "FREQ=DAILY;BYHOUR=9,10,11,12,13,14,15,16;BYMINUTE=0,20,40",
            times: workday
        ),
        RFC5545Example(
            "FREQ=MINUTELY;INTERVAL=20;BYHOUR=9,10,11,12,13,14,15,16",
            times: workday
        ),
    ]

    /// Every 20 minutes from 9:00 to 16:40, and the beginning of the next day.
    private static let workday =
        ["09", "10", "11", "12", "13", "14", "15", "16"].flatMap { hour in
            ["00", "20", "40"].map { "1997-09-02 \(hour):\($0)" }
        } + ["1997-09-03 09:00", "1997-09-03 09:20"]
}
