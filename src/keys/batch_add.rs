//! Adding many multiples of the generator to one point. In variable time: for public keys alone.
//!
//! A multiplier is split into its 32 bytes, and each of the 32 positions has a table of the multiples for a
//! byte there. So a sum has 33 points. They are added in affine coordinates, where an addition takes six
//! field multiplications and a division; all sums are added to at once and share the division.
//!
//! A byte `b` counts as `b − 127½`: so none is zero, and a table has only 128 points, because the rest are
//! their negatives. The resulting difference is the same for every multiplier, and is added to the point that
//! the sums begin with.

use k256::elliptic_curve::ff::PrimeField;
use k256::elliptic_curve::hazmat::FieldArithmetic;
use k256::elliptic_curve::point::AffineCoordinates;
use k256::elliptic_curve::{BatchNormalize, Group};
use k256::{AffinePoint, ProjectivePoint, Scalar, Secp256k1};
use std::sync::LazyLock;

/// Fewer multipliers than this are faster one by one.
const WORTH_IT: usize = 8;
/// The bytes of a multiplier, highest first.
const PLACES: usize = 32;
/// Half of the values of a byte.
const HALF: usize = 128;

/// A coordinate. Additions and subtractions leave a number unreduced: `normalize_weak` must come before many.
type Number = <Secp256k1 as FieldArithmetic>::FieldElement;

/// A point of the curve, not the one at infinity.
#[derive(Clone, Copy)]
struct Point {
    x: Number,
    y: Number,
}

/// For each position the multiples ½, 1½, … 127½ of the generator times the position's weight.
static TABLES: LazyLock<Vec<[Point; HALF]>> = LazyLock::new(tables);
/// The difference added to the sums' start.
static COMB_OFFSET: LazyLock<ProjectivePoint> = LazyLock::new(|| ProjectivePoint::GENERATOR * taken_away());

/// `start` plus the multiple of the generator by each of `multipliers`, as compressed keys.
///
/// `None` if they must be calculated one by one: there are too few, a multiplier is past the group order, or
/// a point would be added to itself or its negative, which only happens on purpose.
pub(super) fn batch_add(start: &ProjectivePoint, multipliers: &[[u8; 32]]) -> Option<Vec<[u8; 33]>> {
    let is_valid = |multiplier: &[u8; 32]| bool::from(Scalar::from_repr((*multiplier).into()).is_some());
    if multipliers.len() < WORTH_IT || !multipliers.iter().all(is_valid) {
        return None;
    }
    let start = Point::of(&(*start + *COMB_OFFSET).to_affine())?;
    let mut sums = vec![start; multipliers.len()];
    for (place, table) in TABLES.iter().enumerate() {
        add(&mut sums, multipliers.iter().map(|multiplier| of_byte(table, multiplier[place])))?;
    }
    Some(sums.iter().map(Point::compressed).collect())
}

fn of_byte(table: &[Point; HALF], byte: u8) -> Point {
    let byte = usize::from(byte);
    match byte.checked_sub(HALF) {
        Some(index) => table[index],
        None => table[HALF - 1 - byte].opposite(),
    }
}

/// The difference of all positions together: 127½ in each of them.
fn taken_away() -> Scalar {
    let ones = (0..PLACES).fold(Scalar::ZERO, |sum, _| sum * Scalar::from(256u32) + Scalar::ONE);
    ones * Scalar::from(255u32) * Scalar::TWO_INV
}

fn tables() -> Vec<[Point; HALF]> {
    // Half the generator, doubled repeatedly: eight times per position, lowest first.
    let half = ProjectivePoint::GENERATOR * Scalar::TWO_INV;
    let doubled: Vec<_> =
        std::iter::successors(Some(half), |point| Some(point.double())).take(PLACES * 8).collect();
    let doubled = ProjectivePoint::batch_normalize_vartime(doubled.as_slice());
    let doubled: Vec<_> = doubled
        .iter()
        .map(|point| {
            Point::of(point).expect("the group order is odd, and its halves and doubles never reach it")
        })
        .collect();
    let (places, _) = doubled.as_chunks::<8>();
    // The points so far, position by position. Each step doubles their number by adding that many to each.
    let mut points: Vec<Point> = places.iter().map(|place| place[0]).collect();
    for round in 0..7 {
        let made = 1 << round;
        let mut more = points.clone();
        let steps = places.iter().flat_map(|place| std::iter::repeat_n(place[1 + round], made));
        add(&mut more, steps).expect("half-integral multiples differ from whole ones");
        points = points.chunks(made).zip(more.chunks(made)).flat_map(|(a, b)| [a, b].concat()).collect();
    }
    let (tables, _) = points.as_chunks::<HALF>();
    tables.iter().rev().copied().collect()
}

/// Adds one point to each of `sums`. `None` if one of them is the same or the negative point; the sums are
/// then invalid.
fn add(sums: &mut [Point], points: impl Iterator<Item = Point>) -> Option<()> {
    // For each sum the point, the difference in x, by which its slope is divided, and the product of the
    // differences before it.
    let mut product = Number::ONE;
    let added: Vec<_> = points
        .zip(&*sums)
        .map(|(point, sum)| {
            let difference = point.x + sum.x.negate(1);
            let before = product;
            product = product.mul(&difference);
            (point, difference, before)
        })
        .collect();
    let mut inverse = product.invert_vartime().into_option()?;
    for (sum, (point, difference, before)) in sums.iter_mut().zip(&added).rev() {
        let slope = (point.y + sum.y.negate(1)).mul(&inverse.mul(before));
        inverse = inverse.mul(difference);
        let x = (slope.square() + (sum.x + point.x).negate(2)).normalize_weak();
        let y = (slope.mul(&(sum.x + x.negate(1))) + sum.y.negate(1)).normalize_weak();
        *sum = Point { x, y };
    }
    Some(())
}

impl Point {
    fn of(point: &AffinePoint) -> Option<Self> {
        let is_infinity = bool::from(ProjectivePoint::from(*point).is_identity());
        let number = |bytes| Number::from_repr(bytes).into_option();
        if is_infinity { None } else { Some(Self { x: number(point.x())?, y: number(point.y())? }) }
    }

    fn opposite(self) -> Self {
        Self { x: self.x, y: self.y.negate(1) }
    }

    fn compressed(&self) -> [u8; 33] {
        let mut bytes = [2; 33];
        bytes[0] += u8::from(bool::from(self.y.normalize().is_odd()));
        bytes[1..].copy_from_slice(&self.x.to_bytes());
        bytes
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ledger::sha256d;
    use k256::elliptic_curve::group::GroupEncoding;

    fn times(number: Scalar) -> ProjectivePoint {
        ProjectivePoint::GENERATOR * number
    }
    fn bytes(number: Scalar) -> [u8; 32] {
        number.to_repr().into()
    }
    fn number(bytes: [u8; 32]) -> Scalar {
        Scalar::from_repr(bytes.into()).unwrap()
    }
    fn numbers(count: u32) -> Vec<[u8; 32]> {
        (0..count).map(|number| sha256d(&number.to_be_bytes())).collect()
    }

    fn assert_right(start: Scalar, multipliers: &[[u8; 32]]) {
        let right: Vec<[u8; 33]> = multipliers
            .iter()
            .map(|multiplier| times(start + number(*multiplier)).to_affine().to_bytes().into())
            .collect();
        assert!(batch_add(&times(start), multipliers).unwrap() == right);
    }

    #[test]
    fn sums_are_those_of_the_curve() {
        for (start, count) in (0..).zip([8, 9, 20, 256, 300]) {
            assert_right(number(sha256d(&[start])), &numbers(count));
        }
    }

    #[test]
    fn every_byte_in_every_place_counts() {
        let multiplier = |place: usize, byte: u8| {
            let mut multiplier = [0; 32];
            multiplier[place] = byte;
            multiplier
        };
        let start = number(sha256d(b"start"));
        for place in 1..PLACES {
            assert_right(start, &(0..=255).map(|byte| multiplier(place, byte)).collect::<Vec<_>>());
        }
        assert_right(start, &(0..255).map(|byte| multiplier(0, byte)).collect::<Vec<_>>());
    }

    #[test]
    fn multipliers_at_the_ends_are_no_exception() {
        let one = Scalar::ONE;
        let ends = [Scalar::ZERO, one, one + one, -one, -(one + one), Scalar::TWO_INV, -Scalar::TWO_INV];
        let mut multipliers: Vec<_> = ends.map(bytes).into();
        multipliers.extend([[0x7f; 32], [0x80; 32], [1; 32], [0xfe; 32]]);
        assert_right(number(sha256d(b"start")), &multipliers);
        // Starts from infinity, and from the generator and its negative.
        for start in [Scalar::ZERO, one, -one] {
            assert_right(start, &numbers(20));
        }
    }

    #[test]
    fn a_multiplier_past_the_group_order_is_noticed() {
        let mut multipliers = numbers(20);
        multipliers[7] = bytes(-Scalar::ONE);
        assert_right(Scalar::ONE + Scalar::ONE, &multipliers);
        multipliers[7][31] += 1;
        assert_eq!(batch_add(&ProjectivePoint::GENERATOR, &multipliers), None);
    }

    #[test]
    fn a_few_are_not_worth_it() {
        assert_eq!(batch_add(&ProjectivePoint::GENERATOR, &numbers(7)), None);
        assert_eq!(batch_add(&ProjectivePoint::GENERATOR, &[]), None);
    }

    #[test]
    fn a_point_that_is_added_to_itself_or_its_opposite_is_noticed() {
        // The value of the first `places` bytes of a multiplier.
        let counted = |multiplier: &[u8; 32], places: usize| {
            let of = |place: usize| {
                let byte =
                    if place < places { Scalar::from(u32::from(multiplier[place])) } else { Scalar::ZERO };
                let taken =
                    if place < places { Scalar::from(255u32) * Scalar::TWO_INV } else { Scalar::ZERO };
                byte - taken
            };
            (0..PLACES).fold(Scalar::ZERO, |sum, place| sum * Scalar::from(256u32) + of(place))
        };
        let multipliers = numbers(20);
        for places in [0, 1, 13, 31] {
            for arranged in [&multipliers[0], &multipliers[19]] {
                let before = counted(arranged, places);
                let added = counted(arranged, places + 1) - before;
                for reached in [added, -added] {
                    let start = reached - before - taken_away();
                    assert!(batch_add(&times(start), &multipliers).is_none(), "place {places}");
                }
            }
        }
        assert!(batch_add(&times(-taken_away()), &multipliers).is_none(), "starts from infinity");
        assert!(batch_add(&times(-number(multipliers[5])), &multipliers).is_none(), "ends at infinity");
    }
}
