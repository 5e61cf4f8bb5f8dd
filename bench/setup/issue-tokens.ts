import { sql } from 'kysely'
import { hashSecret, generateSecret } from '../../src/lib/secrets.ts'
import type { BuilderDb } from '../../test/query-builder.ts'

/**
 * Issues tokens, which count as used today, `each` per account. They are ordered in rounds: the first token of each
 * account, then the second ones, so that neighbours in the list belong to different accounts.
 */
export async function issueTokens(
  db: BuilderDb,
  {
    accountIds,
    each,
    scopes = ['read', 'write', 'follow', 'push'],
  }: { accountIds: readonly string[]; each: number; scopes?: readonly string[] },
): Promise<string[]> {
  const tokens = accountIds.flatMap(() => Array.from({ length: each }, () => generateSecret()))
  await sql`
    insert into access_tokens (token_hash, user_id, scopes, last_used_at)
    select t.hash, u.id, ${scopes}::text[], now()
    from unnest(${tokens.map(hashSecret)}::bytea[]) with ordinality t (hash, position)
      join unnest(${accountIds}::bigint[]) with ordinality a (id, position)
        on a.position = (t.position - 1) % ${accountIds.length} + 1
      join users u on u.account_id = a.id`.execute(db)
  return tokens
}
