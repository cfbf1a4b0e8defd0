//! What a signing file does, from its content alone: by the rules of [`judge`], and some for files only.

use super::policy::{Breach, Does, Rights, Shown, add, judge, paid, spent};
use crate::keys::{AddressKeys, SigningFile};
use crate::ledger::{Cost, SignedAmount, SpentOutput, TokenUid, hash160};
use std::collections::BTreeMap;

#[derive(Clone, Debug)]
pub struct Inspected {
    pub does: Does,
    /// In the order of the inputs.
    pub spends: Vec<SpentOutput>,
    /// In HTR.
    pub cost: Cost,
    /// Custom tokens of which more comes out than goes in (minted), or less (melted). A created token has no
    /// uid yet and is not included.
    pub supply: BTreeMap<TokenUid, SignedAmount>,
    /// Mint and melt authorities that the wallet spends and no output gets, by
    /// [`Output::MINT`](crate::ledger::Output::MINT) and [`Output::MELT`](crate::ledger::Output::MELT).
    pub lost: Vec<(TokenUid, u8)>,
}

/// Finds out what a file does to `account`, which is the file's, or derived from one's own seed phrase.
///
/// # Errors
/// [`Breach`] of the first broken rule.
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
    for output in spends.iter().filter(|output| !output.token_data.is_authority()) {
        add(&mut supply, output.token, -output.value.to_signed());
    }
    for output in transaction.outputs.iter().filter(|output| !output.token_data.is_authority()) {
        if let Some(token) = transaction.token_at(output.token_data) {
            add(&mut supply, token, output.value.to_signed());
        }
    }
    supply.retain(|token, sum| *token != TokenUid::Native && *sum != SignedAmount::ZERO);
    let lost = lost(file, &inputs, &spends);
    Ok(Inspected { does, cost: Cost::of(transaction, &spends), spends, supply, lost })
}

/// Signatures and redeem scripts must match the spent outputs.
fn check_keys(file: &SigningFile, spends: &[SpentOutput]) -> Result<(), Breach> {
    let pays = |place: u8, several: bool, hash: [u8; 20]| {
        paid(&spends[usize::from(place)].script).is_some_and(|(to, _)| to == (several, hash))
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

/// Authorities of the wallet's inputs that no output gets.
fn lost(file: &SigningFile, own: &[(u8, u32)], spends: &[SpentOutput]) -> Vec<(TokenUid, u8)> {
    let mut rights = Rights::default();
    let spent = own.iter().map(|(place, _)| &spends[usize::from(*place)]);
    for output in spent.filter(|output| output.token_data.is_authority()) {
        rights.add(output.token, output.value, 1);
    }
    let transaction = &file.transaction;
    for output in transaction.outputs.iter().filter(|output| output.token_data.is_authority()) {
        if let Some(token) = transaction.token_at(output.token_data) {
            rights.add(token, output.value, -1);
        }
    }
    rights.lost().collect()
}
