import { generateKeyPair } from 'node:crypto'
import { promisify } from 'node:util'
import { sql } from 'kysely'
import type { Config } from '../src/platform/config.ts'
import { createCrowd } from '../test/create-crowd.ts'
import { issueTokens } from './issue-tokens.ts'
import type { Author } from './load/work.ts'
import { nameOfHost } from './open-sink.ts'
import type { Stage } from './stage.ts'
import type { BuilderDb } from '../test/query-builder.ts'

/** People whom the rows need beside those of the dataset. */

const FANS = 10_000

/** Entries that already stand in the feed of each. */
const FAN_ENTRIES = 20

const fansOf = new WeakMap<BuilderDb, Promise<string[]>>()

/** Ten thousand people with short feeds, who follow nobody yet. The same for every row. */
export async function gatherFans(stage: Stage): Promise<string[]> {
  let fans = fansOf.get(stage.db)
  if (!fans) fansOf.set(stage.db, (fans = createFans(stage)))
  return fans
}

async function createFans(stage: Stage): Promise<string[]> {
  const ids = await createPeople(stage, { prefix: 'fan', count: FANS })
  await stage.db.transaction().execute(async (tx) => {
    // What is filled in exists: asking for each would take longer than all the rest.
    await sql`set local session_replication_role = replica`.execute(tx)
    await sql`
      insert into feed_entries (account_id, status_id, original_id)
      select fan, s.id, s.id from unnest(${ids}::bigint[]) fan, (
        select id from statuses where visibility = 'public' and reblog_of_id is null and deleted_at is null
          and in_reply_to_id is null order by id desc limit ${FAN_ENTRIES}) s
      order by 1, 2`.execute(tx)
  })
  await sql`analyze accounts, users, feed_entries`.execute(stage.db)
  return ids
}

async function createPeople(
  { db, origin }: Pick<Stage, 'db' | 'origin'>,
  { prefix, count }: { prefix: string; count: number },
): Promise<string[]> {
  return createCrowd({ db, config: { origin } as Config }, { prefix, count })
}

/** Somebody new who posts; everybody named follows them. */
export async function createAuthor(
  stage: Stage,
  { name, followerIds }: { name: string; followerIds: readonly string[] },
): Promise<{ accountId: string; token: string }> {
  const { db } = stage
  const [accountId] = await createPeople(stage, { prefix: name, count: 1 })
  const [token] = await issueTokens(db, { accountIds: [accountId!], each: 1 })
  await sql`
    insert into follows (account_id, target_account_id)
    select id, ${accountId} from unnest(${followerIds}::bigint[]) id`.execute(db)
  await sql`update account_stats set followers_count = ${followerIds.length} where account_id = ${accountId}`.execute(
    db,
  )
  await sql`analyze follows`.execute(db)
  return { accountId: accountId!, token: token! }
}

/** One account on each of so many other servers. Returns their ids. */
export async function createStrangers(
  { db }: Stage,
  { name, count }: { name: string; count: number },
): Promise<{ id: string; uri: string }[]> {
  const hosts = Array.from({ length: count }, (_, n) => nameOfHost(n))
  const { rows } = await sql<{ id: string; uri: string }>`
    with made as (
      insert into accounts (username, domain, uri, url, inbox_url, shared_inbox_url, followers_url, refreshed_at)
      select ${name}::text, host, 'https://' || host || '/users/' || ${name}::text,
        'https://' || host || '/@' || ${name}::text, 'https://' || host || '/users/' || ${name}::text || '/inbox',
        'https://' || host || '/inbox', 'https://' || host || '/users/' || ${name}::text || '/followers', now()
      from unnest(${hosts}::text[]) host returning id, uri
    ), counted as (
      insert into account_stats (account_id) select id from made
    )
    select id, uri from made order by id`.execute(db)
  return rows
}

/** So many accounts on so many other servers, all of whom follow one of here. */
export async function createFollowersElsewhere(
  { db }: Stage,
  { accountId, count, hosts }: { accountId: string; count: number; hosts: number },
): Promise<void> {
  const names = Array.from({ length: hosts }, (_, n) => nameOfHost(n))
  await db.transaction().execute(async (tx) => {
    // What is filled in exists: asking for each would take longer than all the rest.
    await sql`set local session_replication_role = replica`.execute(tx)
    await sql`set local statement_timeout = 0`.execute(tx)
    await sql`
    with made as (
      insert into accounts (username, domain, uri, url, inbox_url, shared_inbox_url, followers_url, refreshed_at)
      select 'many' || n, host, 'https://' || host || '/users/many' || n, 'https://' || host || '/@many' || n,
        'https://' || host || '/users/many' || n || '/inbox', 'https://' || host || '/inbox',
        'https://' || host || '/users/many' || n || '/followers', now()
      from generate_series(1, ${count}::int) n, lateral (select (${names}::text[])[1 + n % ${hosts}::int] as host) h
      returning id
    ), counted as (
      insert into account_stats (account_id) select id from made
    )
    insert into follows (account_id, target_account_id) select id, ${accountId} from made`.execute(tx)
  })
  await sql`update account_stats set followers_count = ${count} where account_id = ${accountId}`.execute(db)
  await sql`analyze accounts, account_stats, follows`.execute(db)
}

const makeKeys = promisify(generateKeyPair)

/** Authors on other servers whose keys are known here, each followed by some of the people with feeds. */
export async function createRemoteAuthors(
  stage: Stage,
  { name, count, followers }: { name: string; count: number; followers: number },
): Promise<{ authors: Author[]; accountIds: string[] }> {
  const { db, accountIds: people } = stage
  const strangers = await createStrangers(stage, { name, count })
  const ids = strangers.map(({ id }) => id)
  const pairs = await Promise.all(
    strangers.map(async ({ uri }) => {
      const { publicKey, privateKey } = await makeKeys('rsa', { modulusLength: 2048 })
      const publicPem = publicKey.export({ type: 'spki', format: 'pem' })
      return {
        uri,
        keyId: `${uri}#main-key`,
        publicPem,
        privateKey: privateKey.export({ type: 'pkcs8', format: 'pem' }),
      }
    }),
  )
  await sql`
    insert into actor_keys (key_id, owner_uri, account_id, public_key_pem)
    select * from unnest(${pairs.map(({ keyId }) => keyId)}::text[], ${pairs.map(({ uri }) => uri)}::text[],
      ${ids}::bigint[], ${pairs.map(({ publicPem }) => publicPem)}::text[])`.execute(db)
  await sql`
    insert into follows (account_id, target_account_id)
    select (${people}::bigint[])[1 + (a.place * ${followers}::int + n) % ${people.length}::int], a.id
    from unnest(${ids}::bigint[]) with ordinality a (id, place), generate_series(1, ${followers}::int) n`.execute(db)
  await sql`analyze follows, accounts, actor_keys`.execute(db)
  return { authors: pairs.map(({ uri, keyId, privateKey }) => ({ uri, keyId, privateKey })), accountIds: ids }
}
