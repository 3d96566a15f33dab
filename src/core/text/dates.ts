/** Converts dates in front matter to ISO 8601. */

const DATE = /^(\d{4})(?:([-/.])(\d{1,2})(?:\2(\d{1,2}))?)?$/;
const COMPACT = /^(\d{4})(\d{2})(\d{2})$/;
const DATE_TIME =
  /^(?<date>\d{4}-\d{1,2}-\d{1,2})(?:[Tt]|\s+)(?<hour>\d{1,2}):(?<minute>\d{2})(?::(?<second>\d{2})(?:[.,](?<fraction>\d+))?)?\s*(?:[Zz]|UTC|(?<sign>[+-])(?<zoneHour>\d{1,2}):?(?<zoneMinute>\d{2})?)?$/;
/** Milliseconds or seconds since 1970, as some note-taking programs write them. */
const EPOCH = /^(?:\d{13}|\d{10})$/;

/**
 * Converts `2024`, `2024-05`, `2024-05-01` (also with `/` or `.`), `20240501`, a date with a time, or a Unix time to ISO 8601.
 * Times are converted to UTC; a time without a zone is read as UTC, as in YAML.
 * @returns undefined if the text has none of these forms, or names a day that does not exist
 */
export function isoDate(written: string): string | undefined {
  const text = written.trim();
  if (EPOCH.test(text)) return timestamp(Number(text) * (text.length === 10 ? 1000 : 1));
  const compact = COMPACT.exec(text);
  if (compact) return calendarDate(compact[1]!, compact[2], compact[3]);
  const date = DATE.exec(text);
  if (date) return calendarDate(date[1]!, date[3], date[4]);
  return dateTime(DATE_TIME.exec(text)?.groups);
}

/**
 * Returns the time of a document in milliseconds since 1970.
 * @param date the date in its front matter, ISO 8601
 * @param fileTime used if there is no valid date
 */
export function documentTime(date: string | undefined, fileTime: number): number {
  const time = date === undefined ? Number.NaN : Date.parse(date);
  return Number.isNaN(time) ? fileTime : time;
}

function dateTime(parts: RegExpExecArray['groups']): string | undefined {
  if (!parts) return undefined;
  const { date = '', hour, minute, second = 0, fraction = '', sign, zoneHour = 0, zoneMinute = 0 } = parts;
  const [year = '', month, day] = date.split('-');
  const calendar = calendarDate(year, month, day);
  if (!calendar || Number(hour) > 23 || Number(minute) > 59 || Number(second) > 59) return undefined;
  const zone = (Number(zoneHour) * 60 + Number(zoneMinute)) * (sign === '-' ? -1 : 1);
  const milliseconds = Number(fraction.slice(0, 3).padEnd(3, '0'));
  const local = Date.parse(`${calendar}T00:00:00Z`) + milliseconds;
  return timestamp(local + ((Number(hour) * 60 + Number(minute) - zone) * 60 + Number(second)) * 1000);
}

function calendarDate(year: string, month?: string, day?: string): string | undefined {
  const parts = [year, month, day].filter((part) => part !== undefined).map((part) => part.padStart(2, '0'));
  const iso = parts.join('-');
  const time = Date.parse(iso);
  // `Date.parse` turns 31 February into a day of March, so check that the day is the same.
  return Number.isNaN(time) || !new Date(time).toISOString().startsWith(iso) ? undefined : iso;
}

function timestamp(milliseconds: number): string {
  return new Date(milliseconds).toISOString().replace('.000Z', 'Z');
}
