//! The members of objects that come in several forms.

use super::{Kind, Member, Need};

/// Most members of an object that comes in several forms.
const MOST_JOINED: usize = 8;

/// The members of an object that comes in several forms. Those that not all forms have may be left out.
pub(crate) struct Joined {
    members: [Member; MOST_JOINED],
    count: usize,
}

impl Joined {
    /// The first member of each form, then the second of each.
    pub const fn of(forms: &[&[Member]]) -> Self {
        let mut all =
            Self { members: [Member::new("", "", Kind::Any, Need::Optional); MOST_JOINED], count: 0 };
        let mut at = 0;
        while at < all.members.len() {
            let mut form = 0;
            while form < forms.len() {
                if at < forms[form].len() {
                    all.add(forms[form][at]);
                }
                form += 1;
            }
            at += 1;
        }
        all
    }
    pub const fn and(mut self, others: &[Member]) -> Self {
        let mut at = 0;
        while at < others.len() {
            self.add(others[at]);
            at += 1;
        }
        self
    }
    const fn add(&mut self, member: Member) {
        let mut at = 0;
        while at < self.count {
            if is_same(self.members[at].name.as_bytes(), member.name.as_bytes()) {
                self.members[at].need = member.need;
                return;
            }
            at += 1;
        }
        self.members[self.count] = Member { need: Need::Optional, ..member };
        self.count += 1;
    }
    pub const fn members(&'static self) -> &'static [Member] {
        self.members.split_at(self.count).0
    }
}

const fn is_same(one: &[u8], other: &[u8]) -> bool {
    let mut at = 0;
    while at < one.len() && at < other.len() && one[at] == other[at] {
        at += 1;
    }
    at == one.len() && at == other.len()
}
