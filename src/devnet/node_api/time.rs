//! Dates as health reports write them.

/// `2026-11-21T08:55:13Z` for the seconds since 1970.
pub(in crate::devnet) fn date_time(seconds: u32) -> String {
    let (days, second) = (seconds / 86_400, seconds % 86_400);
    // Days counted from 1 March of year 0, so that the leap day is the last of its year (eras of 400 years).
    let days = days + 719_468;
    let era = days / 146_097;
    let day_of_era = days % 146_097;
    let year_of_era = (day_of_era - day_of_era / 1_460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let month_from_march = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * month_from_march + 2) / 5 + 1;
    let month = if month_from_march < 10 { month_from_march + 3 } else { month_from_march - 9 };
    let year = year_of_era + era * 400 + u32::from(month <= 2);
    let (hour, minute, second) = (second / 3_600, second / 60 % 60, second % 60);
    format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}Z")
}

#[cfg(test)]
mod tests {
    use super::date_time;

    #[test]
    fn dates_around_leap_days() {
        assert_eq!(date_time(0), "1970-01-01T00:00:00Z");
        assert_eq!(date_time(951_782_399), "2000-02-28T23:59:59Z");
        assert_eq!(date_time(951_782_400), "2000-02-29T00:00:00Z");
        assert_eq!(date_time(1_795_251_313), "2026-11-21T08:55:13Z");
        assert_eq!(date_time(u32::MAX), "2106-02-07T06:28:15Z");
    }
}
