//! Points of a space: all of them, and the neighbours of one.

use super::{Parameter, Space, Value};

/// A value for each parameter of a space, in order.
pub type Point = Vec<Value>;

impl Space {
    /// Returns the point nearest to the unchanged link.
    #[must_use]
    pub fn home(&self) -> Point {
        self.parameters.iter().map(Parameter::home).collect()
    }

    /// Returns all points of a small space, starting with the unchanged link.
    #[must_use]
    pub fn everything(&self) -> Vec<Point> {
        let home = self.home();
        let mut points = vec![Point::new()];
        for one in &self.parameters {
            let values = one.all();
            let longer = points.iter().flat_map(|point| {
                values.iter().map(move |value| point.iter().chain([value]).cloned().collect())
            });
            points = longer.collect();
        }
        points.retain(|point| *point != home);
        points.insert(0, home);
        points
    }

    /// Returns the unchanged link, then points with one changed parameter, at most `most` in total.
    /// The changed parameter cycles through all parameters.
    #[must_use]
    pub fn one_at_a_time(&self, most: usize) -> Vec<Point> {
        let home = self.home();
        let spreads: Vec<Vec<Value>> = self.parameters.iter().map(Parameter::spread).collect();
        let turns: Vec<Vec<&Value>> = spreads
            .iter()
            .zip(&home)
            .map(|(values, own)| values.iter().filter(|value| *value != own).collect())
            .collect();
        let longest = turns.iter().map(Vec::len).max().unwrap_or(0);
        let changed = (0..longest).flat_map(|turn| {
            let of_turn = turns.iter().enumerate();
            of_turn.filter_map(move |(place, values)| Some((place, *values.get(turn)?)))
        });
        let points = changed.map(|(place, value)| with(&home, place, value.clone()));
        std::iter::once(home.clone()).chain(points).take(most).collect()
    }

    /// Points with one changed parameter reset.
    #[must_use]
    pub fn set_back(&self, point: &[Value]) -> Vec<Point> {
        let changed =
            self.home().into_iter().enumerate().filter(|(place, own)| point[*place] != *own);
        changed.map(|(place, own)| with(point, place, own)).collect()
    }

    /// Returns the possible changes of one parameter, by index and value. Changes back to the
    /// unchanged link are excluded.
    #[must_use]
    pub fn beside(&self, point: &[Value]) -> Vec<(usize, Value)> {
        let of_one = |(place, (one, own)): (usize, (&Parameter, Value))| {
            let values = one.around(&point[place]).into_iter().filter(move |value| *value != own);
            values.map(move |value| (place, value))
        };
        self.parameters.iter().zip(self.home()).enumerate().flat_map(of_one).collect()
    }
}

fn with(point: &[Value], place: usize, value: Value) -> Point {
    let mut point = point.to_vec();
    point[place] = value;
    point
}

#[cfg(test)]
mod tests {
    use airlag_kinds::registry;

    use super::super::Knobs;
    use super::*;

    fn space() -> Space {
        let over = [("rate", "250|2000"), ("retransmit_delay", "250us..1000us/250us")];
        let over: Vec<_> = over.map(|(name, text)| (name.to_owned(), text.to_owned())).into();
        let base = registry::find("nrf24-2m").expect("built in");
        Space::of(&base, Some(32), &Default::default(), &over, Knobs::Named, false).expect("good")
    }

    #[test]
    fn everything_is_every_point_once_and_the_link_as_it_is_first() {
        let space = space();
        let points = space.everything();
        assert_eq!(points.len() as f64, space.many());
        assert_eq!(points[0], space.home());
        assert!(points.iter().enumerate().all(|(nth, one)| !points[..nth].contains(one)));
    }

    #[test]
    fn points_beside_one_differ_in_one_parameter() {
        let space = space();
        let (home, apart) = (space.home(), |one: &Point, other: &Point| {
            one.iter().zip(other).filter(|(one, other)| one != other).count()
        });
        let turned = space.one_at_a_time(usize::MAX);
        assert_eq!(turned[0], home);
        assert!(turned.len() > 3 && turned[1..].iter().all(|one| apart(one, &home) == 1));
        assert_eq!(space.one_at_a_time(2), turned[..2]);
        for (place, value) in space.beside(&turned[1]) {
            assert!(value != home[place] && value != turned[1][place]);
        }
        assert_eq!(space.set_back(&turned[1]), std::slice::from_ref(&home));
        assert!(space.set_back(&home).is_empty());
    }
}
