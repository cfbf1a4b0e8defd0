//! Change sets of any kind.

use headless_wallet::ledger::nano::VertexNano;
use headless_wallet::ledger::{
    Amount, ExtraMembers, Holding, Outpoint, Part, ScriptBytes, SpentOutput, TokenData, TokenUid, Vertex,
    VertexId, VertexInput, VertexOutput,
};
use headless_wallet::wallet::{ChangeSet, PackedVertex, SwapPart};
use proptest::prelude::*;

pub fn id() -> impl Strategy<Value = VertexId> {
    any::<[u8; 32]>().prop_map(VertexId)
}

fn script() -> impl Strategy<Value = ScriptBytes> {
    let p2pkh =
        any::<[u8; 20]>().prop_map(|hash| [&[0x76, 0xa9, 20][..], &hash, &[0x88, 0xac]].concat().into());
    prop_oneof![p2pkh, prop::collection::vec(any::<u8>(), 0..300).prop_map(Into::into)]
}

fn output() -> impl Strategy<Value = SpentOutput> {
    let token = prop_oneof![
        Just(TokenUid::Native),
        (0u8..3).prop_map(|n| TokenUid::Custom(VertexId([n; 32]))),
        id().prop_map(TokenUid::Custom)
    ];
    let unknown = proptest::option::weighted(0.1, "\\{\"a\":[0-9]{1,9}\\}".prop_map(String::into_boxed_str));
    let parts = (any::<u128>(), token, any::<u8>(), script(), unknown);
    parts.prop_map(|(value, token, token_data, script, unknown)| SpentOutput {
        value: Amount::new(value),
        token,
        token_data: TokenData(token_data),
        script,
        unknown,
    })
}

prop_compose! {
    pub fn vertex()(
        head in (id(), any::<u8>(), -1e9f64..1e9, any::<u32>(), any::<bool>()),
        first_block in prop::option::of(id()),
        height in any::<Option<u32>>(),
        parents in prop::collection::vec(id(), 0..4),
        inputs in prop::collection::vec((id(), any::<u8>(), output()), 0..4),
        outputs in prop::collection::vec((output(), prop::option::of(id())), 0..4),
        creates in prop::option::of((".{0,30}", ".{0,5}")),
        is_blueprint in any::<bool>(),
        has_extra in any::<bool>(),
    ) -> Vertex {
        let (id, version, weight, timestamp, voided) = head;
        let inputs = inputs.into_iter().map(|(tx, index, output)| {
            VertexInput { spends: Outpoint { tx, index }, output }
        });
        let outputs = outputs.into_iter().map(|(output, spent_by)| VertexOutput { output, spent_by });
        Vertex {
            id, version, weight, timestamp, voided, first_block, height, parents, creates,
            nano: is_blueprint.then(|| Box::new(VertexNano::Blueprint { public_key: vec![2; 33] })),
            inputs: inputs.collect(), outputs: outputs.collect(),
            extra: if has_extra { extra() } else { ExtraMembers::default() },
        }
    }
}

/// What a node says of a transaction that is not known here.
pub fn extra() -> ExtraMembers {
    let mut extra = ExtraMembers::default();
    extra.push(Part::Whole, r#""token_amount_version":1"#.into());
    (0..=2).for_each(|index| extra.push(Part::Input(index), ExtraMembers::TRANSPARENT.into()));
    extra
}

fn swap_part() -> impl Strategy<Value = SwapPart> {
    let inputs = prop::collection::vec((id(), any::<u8>()), 0..3);
    let outputs =
        prop::collection::vec((prop::option::of(id()), any::<u64>(), any::<bool>(), script()), 0..3);
    (inputs, outputs, any::<bool>()).prop_map(|(inputs, outputs, gets)| {
        let paid = |(token, value, is_authority, script): (Option<VertexId>, u64, bool, ScriptBytes)| {
            let token = token.map_or(TokenUid::Native, TokenUid::Custom);
            (Holding { token, value: Amount::from(value), is_authority }, script.to_vec())
        };
        let inputs = inputs.into_iter().map(|(tx, index)| Outpoint { tx, index }).collect();
        SwapPart { inputs, outputs: outputs.into_iter().map(paid).collect(), gets }
    })
}

pub fn changes() -> impl Strategy<Value = ChangeSet> {
    let numbers = any::<(bool, Option<u32>, Option<u32>, Option<u32>)>();
    let until = prop::option::of(any::<u32>());
    let locks = prop::collection::btree_map((any::<[u8; 32]>(), any::<u8>()), until, 0..3);
    let swaps = prop::option::of(prop::collection::vec(swap_part(), 0..3));
    (prop::collection::vec(vertex(), 0..5), numbers, locks, swaps).prop_map(
        |(vertices, numbers, locks, swap_parts)| {
            let (forget, address_count, current_index, best_height) = numbers;
            let vertices =
                vertices.into_iter().map(|vertex| (vertex.id, PackedVertex::of(&vertex))).collect();
            let locks = locks.into_iter();
            let locked_outpoints =
                locks.map(|((tx, index), until)| (Outpoint { tx: VertexId(tx), index }, until)).collect();
            ChangeSet {
                forget,
                vertices,
                address_count,
                current_index,
                best_height,
                locked_outpoints,
                swap_parts,
            }
        },
    )
}

/// So many vertices, always the same.
pub fn some_vertices(count: u8) -> std::collections::BTreeMap<VertexId, PackedVertex> {
    let vertex = |number| {
        let id = VertexId([number; 32]);
        let (inputs, outputs, parents) = (vec![], vec![], vec![]);
        let (voided, first_block, height, creates, nano) = (false, None, None, None, None);
        let (version, weight, timestamp) = (1, 10.0, u32::from(number));
        let vertex = Vertex {
            id,
            version,
            weight,
            timestamp,
            voided,
            first_block,
            height,
            parents,
            inputs,
            outputs,
            creates,
            nano,
            extra: ExtraMembers::default(),
        };
        (id, PackedVertex::of(&vertex))
    };
    (1..=count).map(vertex).collect()
}
