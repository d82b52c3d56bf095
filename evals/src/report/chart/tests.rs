use super::{BarChart, HEIGHT, Line, LineChart, Scale, WIDTH, x_of, y_of};

#[test]
fn a_scale_reaches_from_the_least_to_the_greatest() {
    let scale = Scale::over([3.0, 1.0, 2.0].into_iter());
    assert_eq!(
        scale,
        Scale {
            low: 1.0,
            high: 3.0
        }
    );
    assert!((scale.share(2.5) - 0.75).abs() < 1e-12);
    assert_eq!(
        Scale::over([4.0].into_iter()),
        Scale {
            low: 3.5,
            high: 4.5
        }
    );
    assert_eq!(
        Scale::over(std::iter::empty()),
        Scale {
            low: 0.0,
            high: 1.0
        }
    );
    assert!(0.0 < x_of(0.0) && x_of(1.0) < WIDTH && 0.0 < y_of(1.0) && y_of(0.0) < HEIGHT);
}

#[test]
fn every_point_and_bar_is_drawn_where_it_belongs() {
    let chart = LineChart {
        title: "a < b".to_owned(),
        x_name: "weight".to_owned(),
        y_name: "hits".to_owned(),
        lines: vec![Line {
            name: "one & two".to_owned(),
            points: vec![(0.0, 10.0), (1.0, 20.0)],
        }],
    };
    let svg = chart.svg();
    let points = format!(
        "points=\"{:.1},{:.1} {:.1},{:.1}\"",
        x_of(0.0),
        y_of(0.0),
        x_of(1.0),
        y_of(1.0)
    );
    assert!(svg.contains(&points), "{svg}");
    assert!(
        svg.contains("a &lt; b") && svg.contains("one &amp; two"),
        "{svg}"
    );
    let bars = BarChart {
        title: "t".to_owned(),
        y_name: "y".to_owned(),
        bars: vec!["a".to_owned(), "b".to_owned()],
        groups: vec![
            ("g".to_owned(), vec![1.0, 4.0]),
            ("h".to_owned(), vec![2.0, 3.0]),
        ],
    };
    // Four bars, and two squares in the key.
    assert_eq!(bars.svg().matches("<rect").count(), 6);
}
