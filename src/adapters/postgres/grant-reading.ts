/** Lets the named roles, and no others, read a publication. */
import type { Query } from './client.ts';
import { tablesOf } from './layout.ts';

/**
 * Grants the roles what a search needs, and takes it from all others but the owner of the tables. All readers see the names and
 * sizes of all publications of the database, but not what is in them.
 * @param roles empty: nothing is changed, so that the grants of an administrator apply
 */
export async function grantReading(query: Query, edition: string, roles: readonly string[]): Promise<void> {
  if (roles.length === 0) return;
  const tables = Object.values(tablesOf(edition)).join(', ');
  const others = await query<{ readonly role: string }>(
    `SELECT DISTINCT quote_ident(grantee) AS role FROM information_schema.role_table_grants
      WHERE table_schema = 'docfuse' AND table_name = ANY($1::text[]) AND grantee NOT IN (current_user, 'PUBLIC')`,
    [tables.replaceAll('docfuse.', '').split(', ')],
  );
  for (const { role } of [{ role: 'PUBLIC' }, ...others]) await query(`REVOKE ALL ON ${tables} FROM ${role}`);
  const readers = roles.map((role) => `"${role.replaceAll('"', '""')}"`).join(', ');
  await query(`GRANT USAGE ON SCHEMA docfuse TO ${readers}`);
  await query(`GRANT SELECT ON docfuse.layout, docfuse.publications, ${tables} TO ${readers}`);
}
