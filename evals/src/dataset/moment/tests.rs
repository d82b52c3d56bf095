use super::{LOCOMO, LONGMEMEVAL, parse_moment};

fn check(format: &str, text: &str, expected: Option<&str>) {
    let found = parse_moment(format, text).map(|moment| moment.0);
    let expected = expected.map(|text| {
        let moment: jiff::Timestamp = text.parse().expect("the table writes times rightly");
        moment.as_microsecond()
    });
    assert_eq!(found, expected, "{text:?}");
}

#[test]
fn times_are_read_as_the_data_sets_write_them() {
    check(
        LONGMEMEVAL,
        "2023/05/20 (Sat) 02:21",
        Some("2023-05-20T02:21:00Z"),
    );
    check(LONGMEMEVAL, "2023/05/20", None);
    check(
        LOCOMO,
        "1:56 pm on 8 May, 2023",
        Some("2023-05-08T13:56:00Z"),
    );
    check(
        LOCOMO,
        "12:09 am on 13 September, 2023",
        Some("2023-09-13T00:09:00Z"),
    );
    check(LOCOMO, "noon", None);
}
