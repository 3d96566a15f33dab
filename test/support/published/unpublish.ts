/** Deletes publications as docs/guides/operate.md says. */
import { execFile, execFileSync } from 'node:child_process';
import { promisify } from 'node:util';
import pg from 'pg';
import { readProjectFile } from '../../repo/project-files.ts';

/** The commands of the guide that begin with a line, as far as the end of their block. */
function commandsFrom(line: string): string {
  const guide = readProjectFile('docs/guides/operate.md');
  const from = guide.indexOf(line);
  return guide.slice(from, guide.indexOf('```', from));
}

/** Runs the statements of the guide by the client, because `psql` may be missing. */
export async function unpublishPostgres(connectionString: string, name: string): Promise<void> {
  const client = new pg.Client({ connectionString, password: process.env.PGPASSWORD ?? 'none' });
  await client.connect();
  const [drop, forget] = [...commandsFrom('for edition in').matchAll(/"((?:SELECT|DROP|DELETE)[^"]+)"/g)]
    .map(([, sql]) => sql!)
    .slice(1) as [string, string];
  const { rows } = await client.query('SELECT edition FROM docfuse.editions WHERE name = $1', [name]);
  for (const { edition } of rows) {
    const id = execFileSync('sh', ['-c', 'printf %s "$1" | sha1sum | cut -c1-16', '-', edition], {
      encoding: 'utf8',
    }).trim();
    await client.query(drop.replaceAll('$id', id));
  }
  await client.query(forget.replaceAll('$NAME', name));
  await client.end();
}

export async function unpublishQdrant(url: string, name: string): Promise<void> {
  const commands = commandsFrom('curl -sH "api-key');
  const env = { ...process.env, QDRANT_API_KEY: process.env.QDRANT_API_KEY ?? '', URL: url, NAME: name };
  await promisify(execFile)('sh', ['-ec', commands], { env });
}
