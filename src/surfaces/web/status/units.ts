/** Numbers with units, as the language of the browser writes them. */

const UNITS = ['byte', 'kilobyte', 'megabyte', 'gigabyte'] as const;

/** `1234567` → `1.2 MB` */
export function bytes(count: number): string {
  const power = Math.min(UNITS.length - 1, Math.floor(Math.log10(Math.max(1, count)) / 3));
  const written = new Intl.NumberFormat(undefined, {
    style: 'unit',
    unit: UNITS[power]!,
    maximumFractionDigits: 1,
  });
  return written.format(count / 1000 ** power);
}
