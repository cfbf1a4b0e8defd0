//! What an operation is called on the command line, and how its fields are given there.

/// A command of `headless-wallet wallet`, with a flag for each field of its operation, if nothing else is
/// declared.
#[derive(Clone, Copy, Debug)]
pub struct Command {
    pub name: &'static str,
    /// What it does, where that is not all of what its operation does.
    pub summary: Option<&'static str>,
    /// Said below its arguments.
    pub after_help: &'static str,
    /// The fields that are given without a flag, in this order.
    pub places: &'static [&'static str],
    /// The fields that are given by other flags than their names.
    pub arguments: &'static [Argument],
    /// Values of fields that are not given, where the command line has its own.
    pub defaults: &'static [(&'static str, &'static str)],
    /// A flag that leaves a field out, and its help.
    pub whole: Option<(&'static str, &'static str, &'static str)>,
    /// One of these fields must be given, and no more.
    pub one_of: &'static [&'static str],
    /// Of these fields at most one can be given.
    pub not_both: &'static [&'static str],
    /// Whether it does more than this operation, so that the command line has it apart.
    pub is_apart: bool,
}

/// A command with nothing but flags.
pub const fn command(name: &'static str) -> Command {
    Command {
        name,
        summary: None,
        after_help: "",
        places: &[],
        arguments: &[],
        defaults: &[],
        whole: None,
        one_of: &[],
        not_both: &[],
        is_apart: false,
    }
}

impl Command {
    pub const fn does(mut self, summary: &'static str) -> Self {
        self.summary = Some(summary);
        self
    }
    pub const fn after(mut self, help: &'static str) -> Self {
        self.after_help = help;
        self
    }
    pub const fn places(mut self, places: &'static [&'static str]) -> Self {
        self.places = places;
        self
    }
    pub const fn by(mut self, arguments: &'static [Argument]) -> Self {
        self.arguments = arguments;
        self
    }
    pub const fn defaults(mut self, defaults: &'static [(&'static str, &'static str)]) -> Self {
        self.defaults = defaults;
        self
    }
    pub const fn whole(mut self, flag: &'static str, leaves_out: &'static str, help: &'static str) -> Self {
        self.whole = Some((flag, leaves_out, help));
        self
    }
    pub const fn one_of(mut self, fields: &'static [&'static str]) -> Self {
        self.one_of = fields;
        self
    }
    pub const fn not_both(mut self, fields: &'static [&'static str]) -> Self {
        self.not_both = fields;
        self
    }
    pub const fn apart(mut self) -> Self {
        self.is_apart = true;
        self
    }
}

/// How a field is given.
#[derive(Clone, Copy, Debug)]
pub struct Argument {
    pub member: &'static str,
    pub flag: &'static str,
    /// Of the objects in it, the members that stand between colons.
    pub of: &'static [&'static str],
    /// A member of each of these objects that says what they are.
    pub with: Option<(&'static str, &'static str)>,
    /// What it means, where that is not what the field means.
    pub help: Option<&'static str>,
    /// What of the field is given, where the field is an object.
    pub part: Option<&'static str>,
    /// Whether it is a number of pieces, though it is declared as an amount.
    pub counts: bool,
}

impl Argument {
    pub const fn flag(member: &'static str, flag: &'static str) -> Self {
        Self { member, flag, of: &[], with: None, help: None, part: None, counts: false }
    }
    pub const fn objects(member: &'static str, flag: &'static str, of: &'static [&'static str]) -> Self {
        Self { of, ..Self::flag(member, flag) }
    }
    pub const fn with(mut self, member: &'static str, is: &'static str) -> Self {
        self.with = Some((member, is));
        self
    }
    pub const fn part(mut self, part: &'static str) -> Self {
        self.part = Some(part);
        self
    }
    pub const fn help(mut self, help: &'static str) -> Self {
        self.help = Some(help);
        self
    }
    pub const fn counted(mut self) -> Self {
        self.counts = true;
        self
    }
}
