//! Limits on spending that two servers count at the same time, against sums in memory. `SEQUENCES=100000` for
//! as many of them as that, `SEED` for the same ones again.

use crate::backends::owner;
use crate::cluster::Postgres;
use futures_util::stream::{self, StreamExt};
use headless_wallet::ledger::{Amount, TokenUid};
use headless_wallet::limits::{Account, Assessment, Charge, Counted, Limit, Verb};
use headless_wallet::store::{PostgresStores, Stores};
use tokio_postgres::{Client, NoTls};

const WINDOWS: [Option<u32>; 3] = [Some(3_600), Some(86_400), None];
const STEPS: usize = 5;

/// Numbers that look like drawn ones (splitmix64): the same for a seed.
struct Draw(u64);

impl Draw {
    fn below(&mut self, most: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (mixed ^ (mixed >> 31)) % most
    }
}

fn number(name: &str) -> Option<u64> {
    std::env::var(name).ok().map(|text| text.parse().unwrap())
}

/// One account, its limits, and what counts of it: the second, the id, the amount and the server.
struct Model {
    account: Account,
    mosts: [u64; 3],
    now: u64,
    counted: Vec<(u64, [u8; 32], u64, usize)>,
}

impl Model {
    fn assessment(&self, amount: u64) -> Assessment {
        let limit = |(window, most): (Option<u32>, u64)| Limit {
            charge: 0,
            window,
            most: Amount::from(most),
            rule: String::new(),
            unless: None,
        };
        Assessment {
            charges: vec![Charge { account: self.account.clone(), amount: Amount::from(amount) }],
            limits: WINDOWS.into_iter().zip(self.mosts).map(limit).collect(),
            wanted: Vec::new(),
        }
    }

    /// Whether so much is within all limits.
    fn fits(&self, amount: u64) -> bool {
        WINDOWS.iter().zip(self.mosts).all(|(window, most)| {
            let is_live = |time: u64| window.is_none_or(|window| time + u64::from(window) > self.now);
            let live = self.counted.iter().filter(|(time, ..)| is_live(*time));
            live.map(|(_, _, amount, _)| amount).sum::<u64>() + amount <= most
        })
    }
}

/// Both servers count at once, some seconds or a day pass, payments are taken back and come again.
async fn sequence(stores: &[PostgresStores; 2], clock: &Client, seed: u64, number: u64) {
    let servers = stores.each_ref().map(|stores| stores.spending().unwrap());
    let mut draw = Draw(seed.wrapping_add(number << 32));
    let mosts = [(); 3].map(|()| draw.below(16));
    let scope = format!("{seed} {number}");
    let account = Account { scope: scope.clone(), verb: Verb::Spend, token: TokenUid::Native };
    let mut model = Model { account, mosts, now: 1_000_000, counted: Vec::new() };
    let by = |server: usize| server as u64 + 1;
    let name = |server: usize| owner(server as u8).name();
    let why = |step| format!("SEED={seed}, sequence {number}, step {step}");
    for step in 0..STEPS {
        // An hour's end is not drawn to the second: the database's clock goes on meanwhile.
        let passed = [0, 0, 0, 1_000, 3_700, 86_500][usize::try_from(draw.below(6)).unwrap()];
        if passed > 0 && step > 0 {
            model.now += passed;
            let shift = "update spent set at = at - $2 * interval '1 second' where scope = $1";
            clock.execute(shift, &[&scope, &(passed as f64)]).await.unwrap();
        }
        let again = draw.below(6);
        if let Some((time, id, amount, server)) = model.counted.last().copied()
            && time + 80_000 > model.now
        {
            let assessment = model.assessment(amount);
            if again == 0 {
                servers[server].take_back(id, by(server), &assessment.charges).await.unwrap();
                model.counted.pop();
            } else if again <= 2 {
                let other = servers[1 - server];
                if again == 1 {
                    let counted =
                        other.count(&name(1 - server), id, by(1 - server), &assessment).await.unwrap();
                    assert_eq!(counted, Counted::Yes(Vec::new()), "{}: it is counted", why(step));
                }
                // What both have counted the first one does not take back, nor anybody what another one has.
                let not_theirs = if again == 1 { server } else { 1 - server };
                servers[not_theirs].take_back(id, by(not_theirs), &assessment.charges).await.unwrap();
                model.counted.last_mut().unwrap().3 = if again == 1 { 1 - server } else { server };
            }
        }
        let wanted = [0u8, 1].map(|server| {
            let mut id = [server; 32];
            id[..8].copy_from_slice(&number.to_be_bytes());
            id[8] = u8::try_from(step).unwrap();
            (id, draw.below(9) + 1)
        });
        let count = async |server: usize| {
            let (id, amount) = wanted[server];
            let assessment = model.assessment(amount);
            matches!(
                servers[server].count(&name(server), id, by(server), &assessment).await.unwrap(),
                Counted::Yes(_)
            )
        };
        let counted: [bool; 2] = futures_util::join!(count(0), count(1)).into();
        let [first, second] = wanted.map(|(_, amount)| amount);
        match counted {
            [true, true] => assert!(model.fits(first + second), "{}: past a limit", why(step)),
            [true, false] => {
                assert!(model.fits(first), "{}: past a limit", why(step));
                assert!(!model.fits(first + second), "{}: refused within its limits", why(step));
            }
            [false, true] => {
                assert!(model.fits(second), "{}: past a limit", why(step));
                assert!(!model.fits(first + second), "{}: refused within its limits", why(step));
            }
            [false, false] => {
                assert!(!model.fits(first.min(second)), "{}: both refused, and one fits", why(step));
            }
        }
        for (server, ((id, amount), counted)) in wanted.into_iter().zip(counted).enumerate() {
            if counted {
                model.counted.push((model.now, id, amount, server));
            }
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn two_servers_never_pass_a_limit_and_refuse_nothing_within_it() {
    let postgres = Postgres::shared();
    let url = postgres.url();
    let servers = [(); 2].map(|()| PostgresStores::new(url.parse().unwrap()));
    let mut running = Vec::new();
    for (server, number) in servers.iter().zip(0..) {
        running.push(server.open(&owner(number)).await.unwrap());
    }
    let schema = url.rsplit("schema=").next().unwrap();
    let place = format!("host={} user=test dbname=postgres options='-c search_path={schema}'", postgres.dir);
    let (clock, connection) = tokio_postgres::connect(&place, NoTls).await.unwrap();
    tokio::spawn(connection);
    let seed = number("SEED").unwrap_or_else(|| u64::from(std::process::id()));
    let sequences = number("SEQUENCES").unwrap_or(200);
    println!("{sequences} sequences, SEED={seed}");
    stream::iter(0..sequences)
        .for_each_concurrent(8, |number| sequence(&servers, &clock, seed, number))
        .await;
}
