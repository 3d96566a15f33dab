/**
 * Adds to package-lock.json the optional packages of other platforms that a registry does not carry. npm leaves out
 * what it cannot look up, and `npm ci` then refuses the lock file as incomplete. Run after every `npm install`.
 */
import { readFileSync, writeFileSync } from 'node:fs';

interface Entry {
  readonly version?: string;
  readonly dev?: boolean;
  readonly optional?: boolean;
  readonly os?: readonly string[];
  readonly cpu?: readonly string[];
  readonly libc?: readonly string[];
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

type Entries = Readonly<Record<string, Entry>>;

/** Adds the missing entries to the entries of a lock file, in npm's order. */
export function completeEntries(entries: Entries): Entries {
  const missing = Object.values(entries).flatMap((entry) =>
    Object.entries(entry.optionalDependencies ?? {}).flatMap(([name, version]): [string, Entry][] => {
      const path = `node_modules/${name}`;
      const platform = platformOf(name);
      if (entries[path] !== undefined || platform === undefined || !/^\d/.test(version)) return [];
      return [[path, { version, ...(entry.dev ? { dev: true } : {}), optional: true, ...platform }]];
    }),
  );
  const all = Object.entries(entries).concat(missing);
  return Object.fromEntries(all.toSorted(([a], [b]) => a.localeCompare(b, 'en')));
}

/** The platform in a package's name, such as `@biomejs/cli-linux-x64-musl`. */
function platformOf(name: string): Pick<Entry, 'os' | 'cpu' | 'libc'> | undefined {
  const pattern =
    /[-/](android|darwin|freebsd|linux|openharmony|win32)-(arm64|arm|ia32|ppc64|riscv64|s390x|x64)(?:-(.+))?$/;
  const [, os, cpu, rest] = pattern.exec(name) ?? [];
  if (os === undefined || cpu === undefined) return undefined;
  const libc = os !== 'linux' || rest === undefined ? undefined : rest.startsWith('musl') ? 'musl' : 'glibc';
  return { os: [os], cpu: [cpu], ...(libc === undefined ? {} : { libc: [libc] }) };
}

if (import.meta.main) {
  const file = new URL('../package-lock.json', import.meta.url);
  const lock = JSON.parse(readFileSync(file, 'utf8'));
  writeFileSync(file, `${JSON.stringify({ ...lock, packages: completeEntries(lock.packages) }, null, 2)}\n`);
}
