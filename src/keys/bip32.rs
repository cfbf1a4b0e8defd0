//! BIP32 child derivation, with the reference wallet's unpadded hardened steps.
