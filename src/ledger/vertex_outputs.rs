//! What a transaction or block pays, by its own bytes, of which its id is the hash.

use super::{Block, Output, SpentOutput, TokenUid, Transaction, VertexId};

/// The outputs that the bytes of vertex `id` say it has.
///
/// # Errors
/// Why they don't.
pub fn vertex_outputs(bytes: &[u8], id: VertexId) -> Result<Vec<SpentOutput>, String> {
    let unreadable = |e: &dyn std::fmt::Display| format!("the transaction's bytes can't be read: {e}");
    let others = "the transaction's bytes are those of another".to_owned();
    let spent = |output: Output, token| SpentOutput {
        value: output.value,
        token,
        token_data: output.token_data,
        script: output.script.into(),
        unknown: None,
    };
    if let Ok(block) = Block::from_bytes(bytes) {
        return match block.id() {
            Ok(hash) if hash == id => {
                Ok(block.outputs.into_iter().map(|output| spent(output, TokenUid::Native)).collect())
            }
            _ => Err(others),
        };
    }
    let transaction = Transaction::from_bytes(bytes).map_err(|e| unreadable(&e))?;
    if transaction.id() != Ok(id) {
        return Err(others);
    }
    let tokens: Vec<_> = transaction
        .outputs
        .iter()
        .map(|output| match transaction.token_at(output.token_data) {
            None if transaction.creates.is_some() => Some(TokenUid::Custom(id)),
            token => token,
        })
        .collect();
    let outputs = transaction.outputs.into_iter().zip(tokens);
    let outputs: Option<_> = outputs.map(|(output, token)| Some(spent(output, token?))).collect();
    outputs.ok_or_else(|| unreadable(&"an output is of a token that it doesn't list"))
}
