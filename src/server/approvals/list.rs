//! Approvals, waiting and ended: one document, which all servers on the store change.

use super::approval::{Approval, State, Step};
use serde::{Deserialize, Serialize};

/// Per wallet.
pub const MAX_WAITING: usize = 100;
/// Seconds after which another server may send what one has begun to send, and may never finish. Both make
/// the same payment.
const SENDING: u64 = 120;
/// In bytes: of all approvals, and per wallet.
const MAX_BYTES: usize = 8 << 20;
const MAX_WALLET_BYTES: usize = 1 << 20;
/// Most ended approvals, and how long they are kept in seconds.
const MAX_ENDED: usize = 1_000;
const ENDED_LIFE: u64 = 86_400;

#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ListError {
    #[error("The wallet has no approval {0:?}, or it ended more than a day ago.")]
    Unknown(String),
    #[error("The approval is {0}: it can't be changed any more.")]
    Over(&'static str),
    #[error("Nobody approves what they asked for themselves.")]
    Own,
    #[error("The API key {0:?} is none of those whose approval counts here: {1}.")]
    NotAmong(String, String),
    #[error("So much waits for approval that there is no room for more: have some approved or denied first.")]
    Full,
}

#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ApprovalList {
    pub approvals: Vec<Approval>,
    /// Steps that are not events yet, oldest first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub steps: Vec<Step>,
}

impl ApprovalList {
    pub fn find(&self, wallet: &str, id: &str) -> Option<&Approval> {
        self.approvals.iter().find(|approval| approval.id == id && approval.wallet == wallet)
    }

    /// The approvals of a wallet that wait or are being sent.
    pub fn open(&self, wallet: &str, now: u64) -> impl Iterator<Item = &Approval> {
        self.approvals.iter().filter(move |of| of.wallet == wallet && of.is_open(now))
    }

    /// Adds an approval and returns its id. A transaction that waits already keeps its id.
    ///
    /// # Errors
    /// [`ListError::Full`].
    pub fn ask(&mut self, new: Approval, now: u64) -> Result<String, ListError> {
        self.forget(now);
        let open = || self.approvals.iter().filter(|approval| approval.is_open(now));
        if let Some(same) =
            open().find(|old| old.digest == new.digest && old.wallet == new.wallet && old.by == new.by)
        {
            return Ok(same.id.clone());
        }
        if open().filter(|approval| approval.wallet == new.wallet).count() >= MAX_WAITING {
            return Err(ListError::Full);
        }
        // Ended approvals are deleted for new ones, oldest first.
        while !self.has_room_for(&new) {
            let gone = self.approvals.iter().position(|of| !of.is_open(now)).ok_or(ListError::Full)?;
            self.approvals.remove(gone);
        }
        let id = new.id.clone();
        self.approvals.push(new);
        Ok(id)
    }

    fn has_room_for(&self, new: &Approval) -> bool {
        let with_it = || self.approvals.iter().chain([new]);
        let of_wallet = with_it().filter(|approval| approval.wallet == new.wallet);
        with_it().map(Approval::bytes).sum::<usize>() <= MAX_BYTES
            && of_wallet.map(Approval::bytes).sum::<usize>() <= MAX_WALLET_BYTES
    }

    /// Adds the approval of the key `name`.
    ///
    /// # Errors
    /// [`ListError`] if it does not count, or comes too late.
    pub fn approve(&mut self, wallet: &str, id: &str, name: &str, now: u64) -> Result<(), ListError> {
        let approval = self.open_one(wallet, id, now)?;
        if approval.by.as_deref() == Some(name) {
            return Err(ListError::Own);
        }
        if !approval.of.iter().any(|of| of == name) {
            return Err(ListError::NotAmong(name.to_owned(), approval.of.join(", ")));
        }
        if !approval.approved.iter().any(|by| by == name) {
            approval.approved.push(name.to_owned());
        }
        // The last attempt's error no longer applies.
        if approval.state == State::Waiting {
            approval.error = None;
        }
        Ok(())
    }

    /// Denies a waiting approval.
    ///
    /// # Errors
    /// [`ListError`] if it has ended, or is being sent.
    pub fn deny(&mut self, wallet: &str, id: &str, name: &str, now: u64) -> Result<(), ListError> {
        let approval = self.open_one(wallet, id, now)?;
        if approval.state != State::Waiting {
            return Err(ListError::Over(approval.status(now)));
        }
        approval.end(State::Denied(name.to_owned()), now);
        Ok(())
    }

    /// Begins to send: from now on it can't be denied. `false` if another server is sending it.
    ///
    /// # Errors
    /// [`ListError`] if it has ended.
    pub fn begin(&mut self, wallet: &str, id: &str, by: &str, now: u64) -> Result<bool, ListError> {
        let approval = self.open_one(wallet, id, now)?;
        if matches!(approval.state, State::Sending(_, since) if since.saturating_add(SENDING) > now) {
            return Ok(false);
        }
        (approval.state, approval.error) = (State::Sending(by.to_owned(), now), None);
        Ok(true)
    }

    /// Sending failed: it waits again, or, if the outcome is unknown, is still being sent. Has no effect if
    /// another server is sending it.
    pub fn failed(&mut self, wallet: &str, id: &str, by: &str, error: String, may_be_sent: bool) {
        let approval = self.approvals.iter_mut().find(|of| of.id == id && of.wallet == wallet);
        let is_theirs = |of: &&mut Approval| match &of.state {
            State::Waiting => true,
            State::Sending(at_it, _) => at_it == by,
            State::Sent(_) | State::Denied(_) | State::Expired => false,
        };
        if let Some(approval) = approval.filter(is_theirs) {
            approval.error = Some(error);
            if !may_be_sent {
                approval.state = State::Waiting;
            }
        }
    }

    pub fn sent(&mut self, wallet: &str, id: &str, hash: String, now: u64) {
        if let Some(approval) = self.approvals.iter_mut().find(|of| of.id == id && of.wallet == wallet) {
            approval.end(State::Sent(hash), now);
        }
    }

    /// Whether an approval has expired without being marked.
    pub fn has_expired(&self, now: u64) -> bool {
        self.approvals.iter().any(|of| of.state == State::Waiting && of.until <= now)
    }

    pub fn expire(&mut self, now: u64) {
        for approval in &mut self.approvals {
            if approval.state == State::Waiting && approval.until <= now {
                approval.end(State::Expired, now);
            }
        }
    }

    fn open_one(&mut self, wallet: &str, id: &str, now: u64) -> Result<&mut Approval, ListError> {
        let approval = self.approvals.iter_mut().find(|of| of.id == id && of.wallet == wallet);
        let approval = approval.ok_or_else(|| ListError::Unknown(id.to_owned()))?;
        match approval.is_open(now) {
            true => Ok(approval),
            false => Err(ListError::Over(approval.status(now))),
        }
    }

    fn forget(&mut self, now: u64) {
        self.approvals.retain(|of| of.is_open(now) || of.until.saturating_add(ENDED_LIFE) > now);
        self.approvals.iter_mut().filter(|of| !of.is_open(now)).for_each(|of| of.transaction.clear());
        let ended = self.approvals.iter().filter(|of| !of.is_open(now)).count();
        let mut spare = ended.saturating_sub(MAX_ENDED);
        self.approvals.retain(|of| {
            let goes = spare > 0 && !of.is_open(now);
            spare -= usize::from(goes);
            !goes
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const NAMES: [&str; 4] = ["alice", "bob", "carol", "shop"];

    fn asked(id: &str, by: &str, now: u64) -> Approval {
        Approval {
            id: id.to_owned(),
            wallet: "w".to_owned(),
            by: Some(by.to_owned()),
            digest: id.to_owned(),
            transaction: "00".to_owned(),
            key: String::new(),
            request: String::new(),
            does: Vec::new(),
            why: String::new(),
            of: ["alice", "bob", "shop"].map(str::to_owned).to_vec(),
            created: now,
            until: now + 1_000,
            approved: Vec::new(),
            state: State::Waiting,
            error: None,
            steps: 0,
        }
    }

    #[test]
    fn one_sends_at_a_time_and_who_is_gone_is_followed() {
        let mut list = ApprovalList::default();
        list.ask(asked("1", "shop", 0), 0).unwrap();
        assert_eq!(list.begin("w", "1", "a", 0), Ok(true));
        assert_eq!(list.begin("w", "1", "b", SENDING - 1), Ok(false));
        assert_eq!(list.deny("w", "1", "alice", 1), Err(ListError::Over("sending")));
        assert_eq!(list.begin("w", "1", "b", SENDING), Ok(true));
        list.failed("w", "1", "a", "late".to_owned(), false);
        assert_eq!(list.approvals[0].state, State::Sending("b".to_owned(), SENDING));
        list.failed("w", "1", "b", "unknown".to_owned(), true);
        assert_eq!(list.approvals[0].status(5_000), "sending", "what may be sent does not expire");
        list.failed("w", "1", "b", "lost".to_owned(), false);
        assert_eq!(list.approvals[0].status(999), "waiting");
        assert_eq!(list.approvals[0].status(1_000), "expired");
    }

    #[test]
    fn what_has_ended_gives_way_and_a_wallet_takes_no_room_of_others() {
        let mut list = ApprovalList::default();
        let large =
            |id: usize| Approval { does: vec!["x".repeat(30_000)], ..asked(&id.to_string(), "shop", 0) };
        let room = MAX_WALLET_BYTES / large(0).bytes();
        for id in 0..10 * room {
            list.ask(large(id), 0).unwrap();
            list.deny("w", &id.to_string(), "alice", 0).unwrap();
        }
        assert_eq!(list.approvals.len(), room);
        for id in 10 * room..11 * room {
            list.ask(large(id), 0).unwrap();
        }
        assert_eq!(list.ask(large(0), 0), Err(ListError::Full));
        list.ask(Approval { wallet: "other".to_owned(), ..large(0) }, 0).unwrap();
        assert_eq!((list.find("w", "0"), list.approvals.len()), (None, room + 1));
    }

    #[test]
    fn there_is_room_for_so_many_and_what_waits_is_asked_for_once() {
        let mut list = ApprovalList::default();
        for number in 0..MAX_WAITING {
            list.ask(asked(&number.to_string(), "shop", 0), 0).unwrap();
        }
        assert_eq!(list.ask(asked("more", "shop", 0), 0), Err(ListError::Full));
        let again = Approval { id: "again".to_owned(), ..asked("7", "shop", 0) };
        assert_eq!(list.ask(again, 0), Ok("7".to_owned()));
        assert_eq!(list.ask(asked("later", "shop", 1_000), 1_000), Ok("later".to_owned()));
        list.ask(asked("last", "shop", 100_000), 100_000).unwrap();
        assert_eq!(list.approvals.len(), 1, "what ended a day ago is forgotten");
    }

    proptest! {
        /// An independent model of the rules: approvals come from other, named keys, while it was open; and
        /// once it was sent, denied or expired, nothing begins any more.
        #[test]
        fn nothing_is_sent_that_others_did_not_approve_nor_twice(
            steps in prop::collection::vec((0..6usize, 0..3usize, 0..4usize, 0..300u64), 1..60)
        ) {
            let (mut list, mut now) = (ApprovalList::default(), 0);
            let (mut given, mut over) = (Vec::new(), std::collections::HashSet::new());
            for (what, which, who, later) in steps {
                now += later;
                let (id, name) = (["1", "2", "3"][which], NAMES[who]);
                let was = list.find("w", id).map(|of| of.status(now));
                match what {
                    0 if was.is_none() => drop(list.ask(asked(id, name, now), now)),
                    1 if list.approve("w", id, name, now).is_ok() => {
                        prop_assert!(matches!(was, Some("waiting" | "sending")));
                        given.push((id, name));
                    }
                    2 if list.deny("w", id, name, now).is_ok() => {
                        prop_assert_eq!(was, Some("waiting"));
                        over.insert(id);
                    }
                    3 if list.begin("w", id, name, now) == Ok(true) => {
                        prop_assert!(!over.contains(id) && was != Some("expired"));
                    }
                    4 => list.failed("w", id, name, String::new(), later % 2 == 0),
                    5 if was == Some("sending") => {
                        list.sent("w", id, "ff".to_owned(), now);
                        over.insert(id);
                    }
                    _ => {}
                }
                for approval in &list.approvals {
                    for by in &approval.approved {
                        prop_assert!(given.contains(&(&*approval.id, by)));
                        prop_assert!(approval.by.as_deref() != Some(by) && approval.of.contains(by));
                    }
                    let is_over = matches!(approval.status(now), "sent" | "denied");
                    prop_assert_eq!(is_over, over.contains(&*approval.id));
                }
            }
        }
    }
}
