import { sql } from 'kysely'
import { hashSecret, makeSecret } from '../src/lib/secrets.ts'
import type { BuilderDb } from '../test/query-builder.ts'

/**
 * Gives people some tokens each, which count as used today. They come round by round: the first of everybody, then the
 * second, so that neighbours in the list are different people.
 */
export async function issueTokens(
  db: BuilderDb,
  { accountIds, each }: { accountIds: readonly string[]; each: number },
): Promise<string[]> {
  const tokens = accountIds.flatMap(() => Array.from({ length: each }, () => makeSecret()))
  await sql`
    insert into access_tokens (token_hash, user_id, scopes, last_used_at)
    select t.hash, u.id, '{read,write,follow,push}', now()
    from unnest(${tokens.map(hashSecret)}::bytea[]) with ordinality t (hash, place)
      join unnest(${accountIds}::bigint[]) with ordinality a (id, place)
        on a.place = (t.place - 1) % ${accountIds.length} + 1
      join users u on u.account_id = a.id`.execute(db)
  return tokens
}
