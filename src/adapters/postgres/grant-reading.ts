/** Lets the named roles, and no others, read an edition. */
import { DocfuseError } from '../../core/errors.ts';
import type { Query } from './client.ts';
import { tablesOf } from './layout.ts';

const SHARED = 'docfuse.layout, docfuse.publications';

/**
 * Grants the roles what a search needs, and takes it from all others but the owner of the tables. Runs in a transaction that holds
 * the lock of `migrate`: PostgreSQL refuses two grants on one table at the same time. All readers see the state of all
 * publications of the database, such as names of collections, but no documents.
 * @param roles empty: nothing is changed, so that the grants of an administrator apply
 * @throws DocfuseError `remote` if the role that publishes may not grant this
 */
export async function grantReading(query: Query, edition: string, roles: readonly string[]): Promise<void> {
  if (roles.length === 0) return;
  const tables = Object.values(tablesOf(edition)).join(', ');
  const others = await query<{ readonly role: string }>(
    `SELECT DISTINCT quote_ident(grantee) AS role FROM information_schema.role_table_grants g
      WHERE table_schema = 'docfuse' AND table_name = ANY($1::text[]) AND grantee NOT IN (current_user, 'PUBLIC')
        AND grantee <> (SELECT tableowner FROM pg_tables t WHERE t.schemaname = 'docfuse' AND t.tablename = g.table_name)`,
    [tables.replaceAll('docfuse.', '').split(', ')],
  );
  for (const { role } of [{ role: 'PUBLIC' }, ...others]) await query(`REVOKE ALL ON ${tables} FROM ${role}`);
  const readers = roles.map((role) => `"${role.replaceAll('"', '""')}"`).join(', ');
  await query(`GRANT USAGE ON SCHEMA docfuse TO ${readers}`);
  await query(`GRANT SELECT ON ${SHARED}, ${tables} TO ${readers}`);
  // A role that does not own a table, and so may not grant it, gets a warning of the server and no error.
  const [without] = await query<{ readonly role: string }>(
    `SELECT role FROM unnest($1::text[]) role WHERE NOT has_schema_privilege(role, 'docfuse', 'USAGE')
       OR NOT has_table_privilege(role, 'docfuse.layout', 'SELECT') OR NOT has_table_privilege(role, 'docfuse.publications', 'SELECT')`,
    [roles],
  );
  if (without)
    throw new DocfuseError(
      'remote',
      `The role ${without.role} of postgres.readers cannot search: another role owns the schema docfuse, and alone may grant it.`,
      `Let the owner run: GRANT USAGE ON SCHEMA docfuse TO ${readers}; GRANT SELECT ON ${SHARED} TO ${readers};`,
    );
}
