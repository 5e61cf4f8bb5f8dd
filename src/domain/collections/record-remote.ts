import { Conflict, Forbidden } from '../../lib/errors.ts'
import { statement } from '../../platform/db/statement.ts'
import type { Tx } from '../context.ts'
import { lockUris } from '../lock-uris.ts'
import { lockAccounts } from '../relationships/lock-accounts.ts'
import { isBuried } from '../tombstones.ts'
import { REMOTE_COLLECTION_LIMITS } from './limits.ts'
import { ensureTag } from './topic.ts'

/** A collection of somebody elsewhere, as its own document says. */
export interface RemoteCollectionFacts {
  uri: string
  /** Where a browser shows it; null: not told. */
  url: string | null
  name: string
  /** Clean HTML. */
  description: string
  language: string | null
  sensitive: boolean
  discoverable: boolean
  /** The hashtag that it is about: as tags are found, and as it is written. */
  topic: { name: string; display: string } | null
  /** How many are in it, by its own count. */
  itemCount: number | null
  publishedAt: Date | null
  updatedAt: Date | null
}

const findOwner = statement<{
  params: { accountId: string; uri: string }
  row: { uri: string; made: number; known: boolean }
}>(
  `select a.uri, (select count(*)::int from collections c where c.account_id = a.id) as made,
     exists (select from collections c where c.uri = $uri and c.account_id = a.id) as known
   from accounts a where a.id = $accountId and a.domain is not null and a.suspended_at is null`,
)
const upsert = statement<{
  params: {
    accountId: string
    uri: string
    factUrl: string | null
    factName: string
    description: string
    language: string | null
    sensitive: boolean
    discoverable: boolean
    tagId: string | null
    itemCount: number | null
    publishedAt: Date | null
    updatedAt: Date | null
    now: Date
  }
  row: { id: string }
}>(
  `insert into collections (account_id, uri, local, url, name, description, language, sensitive, discoverable, tag_id,
     origin_item_count, created_at, updated_at)
   values ($accountId, $uri, false, $factUrl, $factName, $description, $language, $sensitive, $discoverable, $tagId,
     $itemCount, coalesce($publishedAt::timestamptz, $now::timestamptz),
     coalesce($updatedAt::timestamptz, $publishedAt::timestamptz, $now::timestamptz))
   on conflict (uri) do update set url = excluded.url, name = excluded.name, description = excluded.description,
     language = excluded.language, sensitive = excluded.sensitive, discoverable = excluded.discoverable,
     tag_id = excluded.tag_id, origin_item_count = excluded.origin_item_count,
     updated_at = greatest(collections.updated_at, excluded.updated_at)
     where collections.account_id = excluded.account_id
   returning id`,
)

/**
 * Records a collection of somebody elsewhere, or what has changed about it; gives its id.
 * @throws Forbidden for what was deleted, for owners who are suspended, and for more of one owner than are kept · Conflict
 *   when it is somebody else's
 */
export async function recordRemoteCollection(
  tx: Tx,
  { accountId, facts }: { accountId: string; facts: RemoteCollectionFacts },
): Promise<string> {
  const { uri, topic } = facts
  await lockUris(tx, { uris: [uri] })
  await lockAccounts(tx, { ids: [accountId] })
  const [owner] = await findOwner(tx.db, { accountId, uri })
  if (!owner || (await isBuried(tx, { uri, ownerUri: owner.uri }))) throw new Forbidden()
  if (!owner.known && owner.made >= REMOTE_COLLECTION_LIMITS.collections) throw new Forbidden()
  const tagId = topic ? (await ensureTag(tx, topic)).id : null
  const [row] = await upsert(tx.db, {
    accountId,
    uri,
    factUrl: facts.url,
    factName: facts.name,
    description: facts.description,
    language: facts.language,
    sensitive: facts.sensitive,
    discoverable: facts.discoverable,
    tagId,
    itemCount: facts.itemCount,
    publishedAt: facts.publishedAt,
    updatedAt: facts.updatedAt,
    now: tx.now,
  })
  if (!row) throw new Conflict()
  return row.id
}

/** Somebody's place in it, whose consent has been seen. */
export interface RemoteItemFacts {
  uri: string
  accountId: string
  approvalUri: string
  addedAt: Date | null
}

const hold = statement<{ params: { collectionId: string }; row: { items: number } }>(
  `select (select count(*)::int from collection_items i where i.collection_id = c.id) as items
   from collections c where c.id = $collectionId and not c.local for no key update of c`,
)
// Who is of here is in it by their own consent alone, which is kept here: of theirs only the place is noted.
const insertItem = statement<{
  params: {
    collectionId: string
    accountId: string
    uri: string
    approvalUri: string
    addedAt: Date | null
    now: Date
  }
}>(
  `insert into collection_items (collection_id, account_id, state, uri, approval_uri, created_at)
   select $collectionId, a.id, 'accepted', $uri, $approvalUri, coalesce($addedAt::timestamptz, $now::timestamptz)
   from accounts a where a.id = $accountId and a.domain is not null and a.suspended_at is null
   on conflict do nothing`,
)
const updateItem = statement<{ params: { collectionId: string; accountId: string; uri: string; approvalUri: string } }>(
  `update collection_items i set uri = $uri,
     approval_uri = case when a.domain is null then i.approval_uri else $approvalUri end,
     state = case when a.domain is null then i.state else 'accepted' end
   from accounts a
   where i.collection_id = $collectionId and i.account_id = $accountId and a.id = i.account_id
     and not exists (select from collection_items other where other.uri = $uri and other.id <> i.id)
   returning i.id`,
)

/** Records that somebody is in a collection elsewhere. What is more than is kept is left out. */
export async function recordRemoteItem(
  tx: Tx,
  { collectionId, item }: { collectionId: string; item: RemoteItemFacts },
): Promise<void> {
  const [collection] = await hold(tx.db, { collectionId })
  if (!collection) return
  const { uri, accountId, approvalUri, addedAt } = item
  const place = { collectionId, accountId, uri, approvalUri }
  const known = await updateItem(tx.db, place)
  if (known.length > 0 || collection.items >= REMOTE_COLLECTION_LIMITS.items) return
  await insertItem(tx.db, { ...place, addedAt, now: tx.now })
}
