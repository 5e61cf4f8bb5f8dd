import { generateKeyPair } from 'node:crypto'
import { promisify } from 'node:util'
import { sql } from 'kysely'
import type { Config } from '../../src/platform/config/config.ts'
import { createUsers } from '../../test/servers/create-users.ts'
import { issueTokens } from './issue-tokens.ts'
import type { Author } from '../load/work.ts'
import { hostName } from './open-sink.ts'
import type { BenchStage } from './open-stage.ts'
import type { BuilderDb } from '../../test/query-builder.ts'

/** Creates the accounts that rows need in addition to the dataset. */

const FOLLOWER_COUNT = 10_000

/** The number of entries in the feed of each follower. */
const ENTRIES_PER_FOLLOWER = 20

const followersByDatabase = new WeakMap<BuilderDb, Promise<string[]>>()

/** Creates ten thousand users with short feeds who follow nobody yet, once for all rows. Returns their account ids. */
export async function createFollowersOnce(stage: BenchStage): Promise<string[]> {
  let followers = followersByDatabase.get(stage.db)
  if (!followers) followersByDatabase.set(stage.db, (followers = createFollowers(stage)))
  return followers
}

async function createFollowers(stage: BenchStage): Promise<string[]> {
  const ids = await createBenchUsers(stage, { prefix: 'fan', count: FOLLOWER_COUNT })
  await stage.db.transaction().execute(async (tx) => {
    // Without foreign keys: the referenced rows exist, and checking them would take longer than the insert.
    await sql`set local session_replication_role = replica`.execute(tx)
    await sql`
      insert into feed_entries (account_id, status_id, original_id)
      select fan, s.id, s.id from unnest(${ids}::bigint[]) fan, (
        select id from statuses where visibility = 'public' and reblog_of_id is null and deleted_at is null
          and in_reply_to_id is null order by id desc limit ${ENTRIES_PER_FOLLOWER}) s
      order by 1, 2`.execute(tx)
  })
  await sql`analyze accounts, users, feed_entries`.execute(stage.db)
  return ids
}

async function createBenchUsers(
  { db, origin }: Pick<BenchStage, 'db' | 'origin'>,
  { prefix, count }: { prefix: string; count: number },
): Promise<string[]> {
  return createUsers({ db, config: { origin } as Config }, { prefix, count })
}

/** Creates an author with these followers. */
export async function createAuthor(
  stage: BenchStage,
  { name, followerIds }: { name: string; followerIds: readonly string[] },
): Promise<{ accountId: string; token: string }> {
  const { db } = stage
  const [accountId] = await createBenchUsers(stage, { prefix: name, count: 1 })
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

/** Creates administrators. Returns a token of each with all scopes of the admin API. */
export async function createStaff(
  stage: BenchStage,
  { name, count }: { name: string; count: number },
): Promise<string[]> {
  const { db } = stage
  const accountIds = await createBenchUsers(stage, { prefix: name, count })
  await sql`
    update users set role_id = (select id from roles order by position desc limit 1)
    where account_id = any(${accountIds}::bigint[])`.execute(db)
  return issueTokens(db, { accountIds, each: 1, scopes: ['read', 'write', 'admin:read', 'admin:write'] })
}

/** Creates accounts on one remote server, each followed by one of the accounts with feeds. */
export async function createAccountsOfHost(
  { db, accountIds }: BenchStage,
  { name, host, count }: { name: string; host: string; count: number },
): Promise<void> {
  await sql`
    with inserted as (
      insert into accounts (username, domain, uri, url, inbox_url, shared_inbox_url, followers_url, refreshed_at)
      select ${name}::text || n, ${host}::text, base || n, base || n, base || n || '/inbox', base || 'inbox', base || n || '/followers', now()
      from generate_series(1, ${count}::int) n, (select 'https://' || ${host}::text || '/users/' as base) b returning id
    ), counted as (
      insert into account_stats (account_id, followers_count) select id, 1 from inserted
    )
    insert into follows (account_id, target_account_id)
    select (${accountIds}::bigint[])[1 + i.id % ${accountIds.length}::int], i.id from inserted i`.execute(db)
  await sql`analyze accounts, account_stats, follows`.execute(db)
}

/** Creates one account on each of `count` remote servers. */
export async function createRemoteAccounts(
  { db }: BenchStage,
  { name, count }: { name: string; count: number },
): Promise<{ id: string; uri: string }[]> {
  const hosts = Array.from({ length: count }, (_, n) => hostName(n))
  const { rows } = await sql<{ id: string; uri: string }>`
    with inserted as (
      insert into accounts (username, domain, uri, url, inbox_url, shared_inbox_url, followers_url, refreshed_at)
      select ${name}::text, host, 'https://' || host || '/users/' || ${name}::text,
        'https://' || host || '/@' || ${name}::text, 'https://' || host || '/users/' || ${name}::text || '/inbox',
        'https://' || host || '/inbox', 'https://' || host || '/users/' || ${name}::text || '/followers', now()
      from unnest(${hosts}::text[]) host returning id, uri
    ), counted as (
      insert into account_stats (account_id) select id from inserted
    )
    select id, uri from inserted order by id`.execute(db)
  return rows
}

/** Creates `count` accounts on `hosts` remote servers that all follow one local account. */
export async function createRemoteFollowers(
  { db }: BenchStage,
  { accountId, count, hosts }: { accountId: string; count: number; hosts: number },
): Promise<void> {
  const names = Array.from({ length: hosts }, (_, n) => hostName(n))
  await db.transaction().execute(async (tx) => {
    // Without foreign keys: the referenced rows exist, and checking them would take longer than the insert.
    await sql`set local session_replication_role = replica`.execute(tx)
    await sql`set local statement_timeout = 0`.execute(tx)
    await sql`
    with inserted as (
      insert into accounts (username, domain, uri, url, inbox_url, shared_inbox_url, followers_url, refreshed_at)
      select 'many' || n, host, 'https://' || host || '/users/many' || n, 'https://' || host || '/@many' || n,
        'https://' || host || '/users/many' || n || '/inbox', 'https://' || host || '/inbox',
        'https://' || host || '/users/many' || n || '/followers', now()
      from generate_series(1, ${count}::int) n, lateral (select (${names}::text[])[1 + n % ${hosts}::int] as host) h
      returning id
    ), counted as (
      insert into account_stats (account_id) select id from inserted
    )
    insert into follows (account_id, target_account_id) select id, ${accountId} from inserted`.execute(tx)
  })
  await sql`update account_stats set followers_count = ${count} where account_id = ${accountId}`.execute(db)
  await sql`analyze accounts, account_stats, follows`.execute(db)
}

const makeKeys = promisify(generateKeyPair)

/** Creates remote authors with known keys, each followed by some of the accounts with feeds. */
export async function createRemoteAuthors(
  stage: BenchStage,
  { name, count, followers }: { name: string; count: number; followers: number },
): Promise<{ authors: Author[]; accountIds: string[] }> {
  const { db, accountIds: users } = stage
  const remoteAccounts = await createRemoteAccounts(stage, { name, count })
  const ids = remoteAccounts.map(({ id }) => id)
  const pairs = await Promise.all(
    remoteAccounts.map(async ({ uri }) => {
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
    select (${users}::bigint[])[1 + (a.position * ${followers}::int + n) % ${users.length}::int], a.id
    from unnest(${ids}::bigint[]) with ordinality a (id, position), generate_series(1, ${followers}::int) n`.execute(db)
  await sql`analyze follows, accounts, actor_keys`.execute(db)
  return { authors: pairs.map(({ uri, keyId, privateKey }) => ({ uri, keyId, privateKey })), accountIds: ids }
}
