//! Plots as SVG: lines over a scale, and bars. Knows no record.

use std::fmt::Write as _;

use super::escape::escaped;

const WIDTH: f64 = 720.0;
const HEIGHT: f64 = 320.0;
const LEFT: f64 = 56.0;
const RIGHT: f64 = 230.0;
const TOP: f64 = 34.0;
const BOTTOM: f64 = 42.0;
/// Lines across the plot.
const N_GRID: u32 = 5;
/// Colours that stay apart for most eyes (Okabe and Ito 2008), without the yellow.
const COLOURS: [&str; 7] = [
    "#0072b2", "#d55e00", "#009e73", "#cc79a7", "#56b4e9", "#e69f00", "#000000",
];

/// Points that one line joins.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Line {
    pub(super) name: String,
    /// (x, y), by x.
    pub(super) points: Vec<(f64, f64)>,
}

/// A plot of lines.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct LineChart {
    pub(super) title: String,
    pub(super) x_name: String,
    pub(super) y_name: String,
    pub(super) lines: Vec<Line>,
}

/// A plot of bars, in groups.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct BarChart {
    pub(super) title: String,
    pub(super) y_name: String,
    /// What the bars of a group stand for, in their order.
    pub(super) bars: Vec<String>,
    /// Each group's name, and its bars' heights.
    pub(super) groups: Vec<(String, Vec<f64>)>,
}

/// The ends of an axis.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Scale {
    low: f64,
    high: f64,
}

impl Scale {
    fn over(values: impl Iterator<Item = f64> + Clone) -> Self {
        let low = values.clone().fold(f64::INFINITY, f64::min);
        let high = values.fold(f64::NEG_INFINITY, f64::max);
        if low < high {
            Self { low, high }
        } else if low.is_finite() {
            Self {
                low: low - 0.5,
                high: low + 0.5,
            }
        } else {
            Self {
                low: 0.0,
                high: 1.0,
            }
        }
    }

    /// Where `value` stands, 0 to 1.
    fn share(self, value: f64) -> f64 {
        (value - self.low) / (self.high - self.low)
    }
}

fn x_of(share: f64) -> f64 {
    LEFT + share * (WIDTH - LEFT - RIGHT)
}

fn y_of(share: f64) -> f64 {
    HEIGHT - BOTTOM - share * (HEIGHT - TOP - BOTTOM)
}

fn colour(number: usize) -> &'static str {
    COLOURS[number % COLOURS.len()]
}

/// The frame that both kinds share: title, grid, names, and the key to the colours.
fn frame(title: &str, y_name: &str, y: Scale, names: &[&str]) -> String {
    let mut svg = format!(
        "<svg viewBox=\"0 0 {WIDTH} {HEIGHT}\" role=\"img\" aria-label=\"{0}\">\n\
         <text x=\"{LEFT}\" y=\"18\" class=\"title\">{0}</text>\n",
        escaped(title)
    );
    for step in 0..=N_GRID {
        let share = f64::from(step) / f64::from(N_GRID);
        let (value, height) = (y.low + share * (y.high - y.low), y_of(share));
        let decimals = if y.high - y.low < 2.0 { 2 } else { 0 };
        push(
            &mut svg,
            format_args!(
                "<line x1=\"{LEFT}\" x2=\"{:.1}\" y1=\"{height:.1}\" y2=\"{height:.1}\" class=\"grid\"/>\
             <text x=\"{:.1}\" y=\"{:.1}\" class=\"end\">{value:.decimals$}</text>\n",
                x_of(1.0),
                LEFT - 6.0,
                height + 4.0,
            ),
        );
    }
    let middle = y_of(0.5);
    push(
        &mut svg,
        format_args!(
            "<text x=\"14\" y=\"{middle:.1}\" transform=\"rotate(-90 14 {middle:.1})\" class=\"middle\">{}</text>\n",
            escaped(y_name)
        ),
    );
    for (number, name) in names.iter().enumerate() {
        let height = TOP + 15.0 * f64::from(u32::try_from(number).unwrap_or(u32::MAX));
        let left = x_of(1.0) + 14.0;
        push(
            &mut svg,
            format_args!(
                "<rect x=\"{left:.1}\" y=\"{:.1}\" width=\"10\" height=\"10\" fill=\"{}\"/>\
             <text x=\"{:.1}\" y=\"{:.1}\">{}</text>\n",
                height - 9.0,
                colour(number),
                left + 15.0,
                height,
                escaped(name)
            ),
        );
    }
    svg
}

fn push(svg: &mut String, text: std::fmt::Arguments<'_>) {
    svg.write_fmt(text).expect("a string takes everything");
}

impl LineChart {
    /// The plot as an SVG element.
    pub(super) fn svg(&self) -> String {
        let points = || {
            self.lines
                .iter()
                .flat_map(|line| line.points.iter().copied())
        };
        let x = Scale::over(points().map(|(x, _)| x));
        let y = Scale::over(points().map(|(_, y)| y));
        let names: Vec<&str> = self.lines.iter().map(|line| line.name.as_str()).collect();
        let mut svg = frame(&self.title, &self.y_name, y, &names);
        for value in [x.low, f64::midpoint(x.low, x.high), x.high] {
            push(
                &mut svg,
                format_args!(
                    "<text x=\"{:.1}\" y=\"{:.1}\" class=\"middle\">{value:.1}</text>\n",
                    x_of(x.share(value)),
                    HEIGHT - BOTTOM + 16.0
                ),
            );
        }
        push(
            &mut svg,
            format_args!(
                "<text x=\"{:.1}\" y=\"{:.1}\" class=\"middle\">{}</text>\n",
                x_of(0.5),
                HEIGHT - 6.0,
                escaped(&self.x_name)
            ),
        );
        for (number, line) in self.lines.iter().enumerate() {
            let at = |(along, up): &(f64, f64)| (x_of(x.share(*along)), y_of(y.share(*up)));
            let path: Vec<String> = line
                .points
                .iter()
                .map(|point| format!("{:.1},{:.1}", at(point).0, at(point).1))
                .collect();
            let colour = colour(number);
            let path = path.join(" ");
            push(
                &mut svg,
                format_args!("<polyline points=\"{path}\" stroke=\"{colour}\"/>\n"),
            );
            for point in &line.points {
                let (left, height) = at(point);
                push(
                    &mut svg,
                    format_args!(
                        "<circle cx=\"{left:.1}\" cy=\"{height:.1}\" r=\"3\" fill=\"{colour}\"><title>{}: {} at {}</title></circle>\n",
                        escaped(&line.name),
                        point.1,
                        point.0
                    ),
                );
            }
        }
        svg.push_str("</svg>\n");
        svg
    }
}

impl BarChart {
    /// The plot as an SVG element.
    pub(super) fn svg(&self) -> String {
        let heights = self
            .groups
            .iter()
            .flat_map(|(_, heights)| heights.iter().copied());
        let y = Scale::over(heights.chain([0.0]).collect::<Vec<_>>().into_iter());
        let names: Vec<&str> = self.bars.iter().map(String::as_str).collect();
        let mut svg = frame(&self.title, &self.y_name, y, &names);
        let real = |count: usize| f64::from(u32::try_from(count).unwrap_or(u32::MAX));
        let group_width = 1.0 / real(self.groups.len().max(1));
        let bar_width = group_width * 0.8 / real(self.bars.len().max(1));
        for (group_idx, (name, heights)) in self.groups.iter().enumerate() {
            let start = group_width * (real(group_idx) + 0.1);
            push(
                &mut svg,
                format_args!(
                    "<text x=\"{:.1}\" y=\"{:.1}\" class=\"middle small\">{}</text>\n",
                    x_of(group_width * (real(group_idx) + 0.5)),
                    HEIGHT - BOTTOM + 16.0,
                    escaped(name)
                ),
            );
            for (number, height) in heights.iter().enumerate() {
                let (left, right) = (
                    x_of(start + bar_width * real(number)),
                    x_of(start + bar_width * real(number + 1)),
                );
                let (top, bottom) = (y_of(y.share(*height)), y_of(y.share(0.0)));
                push(
                    &mut svg,
                    format_args!(
                        "<rect x=\"{left:.1}\" y=\"{top:.1}\" width=\"{:.1}\" height=\"{:.1}\" fill=\"{}\"><title>{}: {height:.1}</title></rect>\n",
                        right - left,
                        bottom - top,
                        colour(number),
                        escaped(name)
                    ),
                );
            }
        }
        svg.push_str("</svg>\n");
        svg
    }
}

#[cfg(test)]
mod tests;
