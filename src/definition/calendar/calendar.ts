/** When a clock on the wall of a place shows certain times. S4.5 */
export interface Calendar {
  /** Five fields, as in crontab: minute, hour, day of the month, month, day of the week. */
  readonly cron: string;
  /** The time zone, by its name in the IANA database: `Europe/Berlin`. */
  readonly timeZone: string;
}

export function sameCalendar(one: Calendar, other: Calendar): boolean {
  return one.cron === other.cron && one.timeZone === other.timeZone;
}
