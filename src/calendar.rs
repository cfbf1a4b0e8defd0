//! Dates and times of day in UTC.

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UtcTime {
    pub year: u64,
    /// From 1.
    pub month: u64,
    /// From 1.
    pub day: u64,
    pub hour: u64,
    pub minute: u64,
    pub second: u64,
}

impl UtcTime {
    pub const fn from_unix(seconds: u64) -> Self {
        let (days, second) = (seconds / 86_400, seconds % 86_400);
        // Years begin in March, so that leap days come last; a cycle of 400 years begins 719,468 days before
        // 1970.
        let days = days + 719_468;
        let (era, day) = (days / 146_097, days % 146_097);
        let year = (day - day / 1_460 + day / 36_524 - day / 146_096) / 365;
        let day = day - (365 * year + year / 4 - year / 100);
        let month = (5 * day + 2) / 153;
        let day = day - (153 * month + 2) / 5 + 1;
        let (month, next) = if month < 10 { (month + 3, 0) } else { (month - 9, 1) };
        Self {
            year: era * 400 + year + next,
            month,
            day,
            hour: second / 3_600,
            minute: second / 60 % 60,
            second: second % 60,
        }
    }

    /// Reads `2026-11-21` (its first second) or `2026-11-21T08:55:13Z`; `None` for other texts and before
    /// 1970.
    pub fn parse(text: &str) -> Option<Self> {
        let (date, time) = match text.split_once('T') {
            Some((date, time)) => (date, time.strip_suffix('Z')?),
            None => (text, "00:00:00"),
        };
        let numbers = |text: &str, mark: char, lengths: [usize; 3]| {
            let mut parts = text.split(mark);
            let read = lengths.map(|length| {
                let part = parts.next().filter(|part| part.len() == length)?;
                part.bytes().all(|byte| byte.is_ascii_digit()).then(|| part.parse::<u64>().ok())?
            });
            if parts.next().is_some() { None } else { Some((read[0]?, read[1]?, read[2]?)) }
        };
        let (year, month, day) = numbers(date, '-', [4, 2, 2])?;
        let (hour, minute, second) = numbers(time, ':', [2, 2, 2])?;
        let read = Self { year, month, day, hour, minute, second };
        let is_time = year >= 1970 && (1..=12).contains(&month) && day >= 1;
        // A day that its month does not have would come back as one of the next month.
        (is_time && Self::from_unix(read.to_unix()) == read).then_some(read)
    }

    /// Not for dates before 1970.
    pub const fn to_unix(self) -> u64 {
        let (year, month) =
            if self.month > 2 { (self.year, self.month - 3) } else { (self.year - 1, self.month + 9) };
        let (era, year) = (year / 400, year % 400);
        let day = year * 365 + year / 4 - year / 100 + (153 * month + 2) / 5 + self.day - 1;
        let days = era * 146_097 + day - 719_468;
        days * 86_400 + self.hour * 3_600 + self.minute * 60 + self.second
    }

    /// `2026-11-21T08:55:13`.
    pub fn iso(self) -> String {
        let Self { year, month, day, hour, minute, second } = self;
        format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}")
    }
}

#[cfg(test)]
mod tests {
    use super::UtcTime;

    #[test]
    fn dates_around_leap_days() {
        for (unix, iso) in [
            (0, "1970-01-01T00:00:00"),
            (951_782_399, "2000-02-28T23:59:59"),
            (951_782_400, "2000-02-29T00:00:00"),
            (1_795_251_313, "2026-11-21T08:55:13"),
            (u32::MAX.into(), "2106-02-07T06:28:15"),
        ] {
            assert_eq!(UtcTime::from_unix(unix).iso(), iso);
            assert_eq!(UtcTime::parse(&format!("{iso}Z")).map(UtcTime::to_unix), Some(unix));
        }
    }

    #[test]
    fn only_dates_that_there_are_are_read() {
        let read = |text| UtcTime::parse(text).map(UtcTime::to_unix);
        assert_eq!(read("2027-12-31"), Some(1_830_211_200));
        assert_eq!(read("2028-02-29"), Some(1_835_395_200));
        for text in [
            "",
            "2027",
            "2027-02-29",
            "2027-13-01",
            "2027-00-01",
            "2027-01-00",
            "2027-1-1",
            "1969-12-31",
            "2027-01-01T24:00:00Z",
            "2027-01-01T00:60:00Z",
            "2027-01-01T00:00:00",
            "2027-01-01T00:00Z",
            "2027-01-01 00:00:00Z",
            "+027-01-01",
            "2027-01-01-01",
            "2027-01-01T00:00:00Z ",
        ] {
            assert_eq!(read(text), None, "{text}");
        }
    }
}
