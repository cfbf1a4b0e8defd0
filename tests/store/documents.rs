//! Documents of a server's own, in a directory and in a database.

use crate::cluster::Postgres;
use futures_util::future::join_all;
use headless_wallet::store::{DataDir, PostgresStores, StoreError, Stores};
use std::os::unix::fs::PermissionsExt;
use tempfile::TempDir;

async fn replaced_only_by_whoever_knows_what_is_there(stores: &dyn Stores) {
    let documents = stores.documents().unwrap();
    assert_eq!(documents.read_document("a").await, Ok(None));
    assert_eq!(documents.document_version("a").await, Ok(None));
    assert_eq!(documents.replace_document("a", Some([7; 16]), "never").await, Ok(false));
    assert_eq!(documents.replace_document("a", None, "one").await, Ok(true));
    assert_eq!(documents.replace_document("a", None, "never").await, Ok(false));
    let one = documents.read_document("a").await.unwrap().unwrap();
    assert_eq!((&*one.text, documents.document_version("a").await), ("one", Ok(Some(one.version))));
    assert_eq!(documents.replace_document("a", Some(one.version), "one").await, Ok(true));
    let two = documents.read_document("a").await.unwrap().unwrap();
    assert_ne!(two.version, one.version, "of the same text, too");
    assert_eq!(documents.replace_document("a", Some(one.version), "never").await, Ok(false));
    assert_eq!(documents.read_document("b").await, Ok(None));

    // Of many at once that know the same, one is the first.
    let texts: Vec<_> = (0..20).map(|number| format!("{number} ") + &"x".repeat(100_000)).collect();
    let tries = texts.iter().map(|text| documents.replace_document("a", Some(two.version), text));
    let won: Vec<_> = join_all(tries).await.into_iter().map(Result::unwrap).collect();
    assert_eq!(won.iter().filter(|won| **won).count(), 1);
    let place = won.iter().position(|won| *won).unwrap();
    assert_eq!(documents.read_document("a").await.unwrap().unwrap().text, texts[place]);
}

#[tokio::test]
async fn in_a_directory() {
    let dir = TempDir::new().unwrap();
    let stores = DataDir::new(dir.path()).unwrap();
    replaced_only_by_whoever_knows_what_is_there(&stores).await;
    let path = dir.path().join("a.document");
    assert_eq!(path.metadata().unwrap().permissions().mode() & 0o777, 0o600);
    // They are none of the wallets' stores.
    assert_eq!(DataDir::files(dir.path()).unwrap(), Vec::<std::path::PathBuf>::new());
    for damaged in ["", "00", &format!("{}x", "00".repeat(16)), &format!("{}\n", "zz".repeat(16))] {
        std::fs::write(&path, damaged).unwrap();
        let place = path.display().to_string();
        let error = StoreError::Damaged { place, what: "it is damaged".to_owned() };
        let documents = stores.documents().unwrap();
        assert_eq!(documents.read_document("a").await, Err(error.clone()), "{damaged}");
        assert_eq!(documents.document_version("a").await, Err(error.clone()));
        assert_eq!(documents.replace_document("a", None, "never").await, Err(error));
    }
}

#[tokio::test]
async fn in_a_database() {
    let postgres = Postgres::shared();
    let stores = PostgresStores::new(postgres.url().parse().unwrap());
    replaced_only_by_whoever_knows_what_is_there(&stores).await;
}
