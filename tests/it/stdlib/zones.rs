//! Time zones, dates and locales.

use hermes_tests::Case;

#[tokio::test]
async fn time_zones_have_their_data() {
    Case::new(
        "from datetime import datetime, timezone\nfrom zoneinfo import ZoneInfo, available_timezones\n\
         print(datetime(2024, 7, 1, 12, tzinfo=ZoneInfo('Asia/Kolkata')).isoformat())\n\
         print(datetime(2024, 7, 1, 12, tzinfo=timezone.utc).astimezone(ZoneInfo('America/New_York')))\n\
         print(datetime(2024, 3, 31, 1, 30, tzinfo=ZoneInfo('Europe/Berlin')).utcoffset(), ZoneInfo('Europe/Berlin').tzname(datetime(2024, 8, 1)))\n\
         print(len(available_timezones()) > 400)",
    )
    .run()
    .await
    .succeeds()
    .output("2024-07-01T12:00:00+05:30\n2024-07-01 08:00:00-04:00\n1:00:00 CEST\nTrue\n");
}

#[tokio::test]
async fn a_zone_that_does_not_exist_is_not_found() {
    Case::new("from zoneinfo import ZoneInfo\nZoneInfo('Mars/Olympus')")
        .run()
        .await
        .raises(
            "zoneinfo._common.ZoneInfoNotFoundError: 'No time zone found with key Mars/Olympus'",
        );
}

#[tokio::test]
async fn the_sandbox_lives_in_utc() {
    Case::new("import time, datetime\nprint(time.tzname[0], time.timezone, datetime.datetime.fromtimestamp(0))\nprint(time.strftime('%Y-%m-%d %H:%M', time.gmtime(86400)))")
        .run()
        .await
        .succeeds()
        .output("UTC 0 1970-01-01 00:00:00\n1970-01-02 00:00\n");
}

#[tokio::test]
async fn the_clock_is_the_real_one() {
    let before = std::time::SystemTime::now()
        .duration_since(std::time::UNIX_EPOCH)
        .unwrap()
        .as_secs();
    let finished = Case::new("import time\nprint(int(time.time()))")
        .run()
        .await;
    finished.succeeds();
    let shown: u64 = finished.outcome().output.trim().parse().unwrap();
    let after = std::time::SystemTime::now()
        .duration_since(std::time::UNIX_EPOCH)
        .unwrap()
        .as_secs();
    assert!(
        (before..=after).contains(&shown),
        "{before} {shown} {after}"
    );
}

#[tokio::test]
async fn clocks_never_go_backwards() {
    Case::new("import time\nfor clock in (time.monotonic, time.perf_counter, time.process_time):\n    a = clock(); b = clock()\n    print(b >= a >= 0)")
        .run()
        .await
        .succeeds()
        .output("True\nTrue\nTrue\n");
}
