//! Pages of the history against a filter of all of it: each transaction once, in one order, whatever came in
//! which order and however many are of one second.

use crate::support::*;
use headless_wallet::ledger::{Address, TokenUid, Vertex, VertexId};
use headless_wallet::wallet::{HistoryFilter, State};
use proptest::prelude::*;

/// All that a filter lets through, read in steps of so many vertices, in pages of so many.
fn pages(state: &State, filter: &HistoryFilter, looks: usize, most: usize) -> Vec<VertexId> {
    let mut all: Vec<VertexId> = Vec::new();
    loop {
        let (mut filter, mut page) = (filter.clone(), Vec::new());
        if let Some(last) = all.last() {
            assert!(filter.before(last, state));
        }
        while state.search_history(&mut filter, looks, most, &mut page) {}
        assert!(page.len() <= most);
        if page.is_empty() {
            return all;
        }
        all.extend(page);
    }
}

fn has(vertex: &Vertex, state: &State, token: Option<TokenUid>, address: Option<Address>) -> bool {
    let outputs = vertex.outputs.iter().map(|output| &output.output);
    let mut all = outputs.chain(vertex.inputs.iter().map(|input| &input.output));
    all.any(|output| {
        let of_address = match address {
            Some(address) => output.script == pays(address, None),
            None => state.paid_index(&output.script).is_some(),
        };
        token.is_none_or(|token| output.token == token) && of_address
    })
}

proptest! {
    #[test]
    fn pages_are_the_history_in_one_order(
        // Few seconds, two tokens, an address of the wallet's or somebody else's beside the wallet's.
        made in prop::collection::vec((0u32..4, any::<bool>(), 0u32..3, any::<bool>()), 1..40),
        order in any::<u64>(),
        (looks, most) in (1usize..9, 1usize..9),
        (before, after) in (any::<prop::sample::Index>(), any::<prop::sample::Index>()),
        since in prop::option::of(1_700_000_000u32..1_700_000_005),
        (token, address) in (prop::option::of(any::<bool>()), prop::option::of(0u32..4)),
    ) {
        let mut state = wallet();
        let to = |index: u32| if index == 3 { foreign() } else { state.address(index).unwrap() };
        let token_of = |other: bool| if other { custom(200) } else { NATIVE };
        let mut vertices: Vec<Vertex> = (1u8..).zip(&made).map(|(number, (second, other, index, beside))| {
            let mut outputs = vec![output(to(*index), 5, token_of(*other))];
            outputs.extend(beside.then(|| output(foreign(), 7, token_of(!other))));
            Vertex { timestamp: 1_700_000_000 + second, ..vertex(number, outputs) }
        }).collect();
        let (token, address) = (token.map(token_of), address.map(to));
        // In an order of its own.
        vertices.sort_by_key(|vertex| u64::from(vertex.id.0[0]).wrapping_mul(order | 1));
        for vertex in &vertices {
            let _ = state.apply(vertex.clone());
        }
        vertices.sort_by_key(|vertex| std::cmp::Reverse((vertex.timestamp, vertex.id)));
        let places: Vec<_> = vertices.iter().map(|vertex| vertex.id).collect();
        prop_assert_eq!(&pages(&state, &HistoryFilter::of(None, None), looks, most), &places);

        let (before, after) = (before.index(vertices.len()), after.index(vertices.len()));
        let mut filter = HistoryFilter::of(token, address);
        prop_assert!(filter.before(&places[before], &state) && filter.after(&places[after], &state));
        prop_assert!(!filter.before(&id(255), &state));
        filter.since(since.unwrap_or(0));
        let wanted = vertices.iter().enumerate().filter(|(place, vertex)| {
            (before + 1..after).contains(place)
                && vertex.timestamp >= since.unwrap_or(0)
                && has(vertex, &state, token, address)
        });
        let wanted: Vec<_> = wanted.map(|(_, vertex)| vertex.id).collect();
        prop_assert_eq!(pages(&state, &filter, looks, most), wanted);
    }
}

#[test]
fn what_an_address_spends_or_signs_is_found() {
    let mut state = wallet();
    let (first, second) = (state.address(0).unwrap(), state.address(1).unwrap());
    let paid = vertex(1, vec![output(first, 5, NATIVE)]);
    let spent = spending(2, &[(&paid, 0)], vec![output(second, 5, NATIVE)]);
    for vertex in [&paid, &spent] {
        let _ = state.apply(vertex.clone());
    }
    let of = |address| {
        let filter = HistoryFilter::of(None, Some(address));
        pages(&state, &filter, 10, 10)
    };
    assert_eq!(of(first), [id(2), id(1)]);
    assert_eq!(of(second), [id(2)]);
    assert_eq!(of(state.address(2).unwrap()), []);
    assert_eq!(of(foreign()), []);
}
