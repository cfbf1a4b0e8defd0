//! What a signing file does, found out from what is in it alone: by the rules of [`judge`], and some that
//! only files need.

use super::policy::{Breach, Does, Shown, judge, spent};
use crate::keys::{AddressKeys, SigningFile};
use crate::ledger::{Cost, Network, Output, Script, SpentOutput, TokenUid, hash160};
use std::collections::BTreeMap;

/// What a signing file does.
#[derive(Clone, Debug)]
pub struct Inspected {
    pub does: Does,
    /// What its inputs spend, in their order.
    pub spends: Vec<SpentOutput>,
    /// In HTR.
    pub cost: Cost,
    /// Of which custom tokens more comes out than goes in (minted), or less (melted). What is created is of
    /// no token yet.
    pub supply: BTreeMap<TokenUid, i128>,
    /// Rights to mint and to melt that the wallet spends and nobody gets, by [`Output::MINT`] and
    /// [`Output::MELT`].
    pub lost: Vec<(TokenUid, u8)>,
}

/// Finds out what a file does to `account`, which is the file's, or what one's own words say it must be.
///
/// # Errors
/// [`Breach`] of the first rule that it does not keep.
pub async fn inspect(file: &SigningFile, account: &AddressKeys) -> Result<Inspected, Breach> {
    let previous: Vec<&[u8]> = file.previous.iter().map(Vec::as_slice).collect();
    let inputs: Vec<_> = file.inputs.iter().filter_map(|input| Some((input.place, input.address?))).collect();
    let scripts = file.inputs.iter().filter_map(|input| Some((input.place, input.redeem_script.as_ref()?)));
    let scripts: Vec<_> = scripts.collect();
    let (transaction, own) = (&file.transaction, &file.outputs[..]);
    let shown =
        Shown { transaction, inputs: &inputs, caller: None, own, previous: &previous, scripts: &scripts };
    let does = judge(shown, account).await?;
    let spends = spent(shown)?;
    check_keys(file, &spends)?;
    let mut supply = BTreeMap::new();
    let mut add = |token: TokenUid, amount: i128| {
        let sum: &mut i128 = supply.entry(token).or_default();
        *sum = sum.saturating_add(amount);
    };
    for output in spends.iter().filter(|output| !output.token_data.is_authority()) {
        add(output.token, -output.value.to_signed());
    }
    for output in transaction.outputs.iter().filter(|output| !output.token_data.is_authority()) {
        if let Some(token) = transaction.token_at(output.token_data) {
            add(token, output.value.to_signed());
        }
    }
    supply.retain(|token, sum| *token != TokenUid::Native && *sum != 0);
    let lost = lost(file, &inputs, &spends);
    Ok(Inspected { does, cost: Cost::of(transaction, &spends), spends, supply, lost })
}

/// Signatures and redeem scripts must be those that the spent outputs want.
fn check_keys(file: &SigningFile, spends: &[SpentOutput]) -> Result<(), Breach> {
    let pays = |place: u8, several: bool, hash: [u8; 20]| {
        address_of(&spends[usize::from(place)]) == Some((several, hash))
    };
    let mut of_several = Vec::new();
    for input in &file.inputs {
        let Some(script) = &input.redeem_script else { continue };
        let bytes = script.to_bytes().map_err(|error| Breach::new("keys", error.to_string()))?;
        if !pays(input.place, true, hash160(&bytes)) {
            let why = format!("input {} does not spend what its `redeemScript` has", input.place);
            return Err(Breach::new("keys", why));
        }
        of_several.push(input.place);
    }
    let of_one = file.signatures.iter().filter(|by| !of_several.contains(&by.input));
    for by in of_one {
        if !pays(by.input, false, hash160(&by.public_key)) {
            let why = format!("input {} has a signature by a key that is none of its own", by.input);
            return Err(Breach::new("keys", why));
        }
    }
    Ok(())
}

/// Whether an output pays an address of several keys, and its hash.
fn address_of(output: &SpentOutput) -> Option<(bool, [u8; 20])> {
    match Script::parse(&output.script, Network::Mainnet)? {
        Script::Pay { to, .. } => Some(super::policy::of_address(to)),
        Script::Data(_) => None,
    }
}

fn lost(file: &SigningFile, own: &[(u8, u32)], spends: &[SpentOutput]) -> Vec<(TokenUid, u8)> {
    let mut counts: BTreeMap<(TokenUid, u8), i32> = BTreeMap::new();
    let mut count = |token: Option<TokenUid>, mask: u128, step: i32| {
        for bit in [Output::MINT, Output::MELT].into_iter().filter(|bit| mask & u128::from(*bit) != 0) {
            if let Some(token) = token {
                *counts.entry((token, bit)).or_default() += step;
            }
        }
    };
    for (place, _) in own {
        let output = &spends[usize::from(*place)];
        if output.token_data.is_authority() {
            count(Some(output.token), output.value.cents(), 1);
        }
    }
    let transaction = &file.transaction;
    for output in transaction.outputs.iter().filter(|output| output.token_data.is_authority()) {
        count(transaction.token_at(output.token_data), output.value.cents(), -1);
    }
    counts.into_iter().filter(|(_, count)| *count > 0).map(|(right, _)| right).collect()
}
